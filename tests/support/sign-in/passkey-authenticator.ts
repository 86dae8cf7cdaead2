import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Assertion, Attestation } from '#shared/features/users/passkeys.ts';

type Flags = { isVerified: boolean };
/** Properties of a response that a test sets wrongly. */
type Faults = Partial<Flags> & {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** Adds an attestation: with a certificate, or signed with the passkey itself. */
  attestation?: 'certificate' | 'self';
};

/** A software authenticator with one passkey, as a browser with a security key answers. */
export type Authenticator = {
  credentialId: string;
  /** Sets the signature counter; 0, the initial value, is that of an authenticator that does not count. */
  count(to: number): void;
  create(options: { challenge: string; rp: { id?: string | undefined } }, faults?: Faults): Attestation;
  sign(options: { challenge: string; rpId?: string | undefined }, faults?: Faults): Assertion;
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** @param origin of the page in which it is used */
export function createAuthenticator(origin: string): Authenticator {
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  function authenticatorData(rpId: string, { isVerified }: Flags, credential = Buffer.alloc(0)): Buffer {
    const flags =
      USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, credential]);
  }

  function clientData(type: string, challenge: string, faults: Faults): Buffer {
    const data = { type: faults.type ?? type, challenge: faults.challenge ?? challenge };
    return Buffer.from(JSON.stringify({ ...data, origin: faults.origin ?? origin, crossOrigin: false }));
  }

  return {
    credentialId,
    count(to) {
      counter = to;
    },
    create({ challenge, rp }, faults = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const authData = authenticatorData(
        faults.rpId ?? rp.id ?? '',
        { isVerified: faults.isVerified ?? true },
        credential,
      );
      const json = clientData('webauthn.create', challenge, faults);
      const statement = new Map<string, unknown>();
      if (faults.attestation !== undefined) {
        const signed = Buffer.concat([authData, createHash('sha256').update(json).digest()]);
        statement.set('alg', -7).set('sig', new Uint8Array(sign('sha256', signed, privateKey)));
        if (faults.attestation === 'certificate') statement.set('x5c', [new Uint8Array(8)]);
      }
      const attestation = new Map<string, unknown>([
        ['fmt', faults.attestation === undefined ? 'none' : 'packed'],
        ['attStmt', statement],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        credentialId,
        clientDataJSON: json.toString('base64url'),
        attestationObject: Buffer.from(
          isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
        ).toString('base64url'),
        transports: ['internal'],
      };
    },
    sign({ challenge, rpId = '' }, faults = {}) {
      const data = authenticatorData(faults.rpId ?? rpId, { isVerified: faults.isVerified ?? true });
      const json = clientData('webauthn.get', challenge, faults);
      const signed = Buffer.concat([data, createHash('sha256').update(json).digest()]);
      return {
        credentialId,
        clientDataJSON: json.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
    },
  };
}
