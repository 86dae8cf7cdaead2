import { isIP } from 'node:net';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';

// Web Authentication (WebAuthn Level 3). The library is loaded at its first use, because it imports much code for parsing
// certificates, and many installations never use it.
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** How long a browser waits for the person. */
export const CEREMONY_MS = 5 * 60_000;
/** EdDSA, ES256 and RS256: all algorithms that present authenticators use. */
const ALGORITHMS = [-8, -7, -257];

/** The site that passkeys are for: its host, and the origin of its pages. */
export type RelyingParty = { id: string; origin: string };

/** A credential to be used: its id in base64url, and how the browser may reach its authenticator. */
export type CredentialDescriptor = { credentialId: string; transports: string[] };

/** A created credential, as a browser reports it; bytes are base64url. */
export type Attestation = {
  credentialId: string;
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
};

/** A signed challenge, as a browser reports it; bytes are base64url. */
export type Assertion = {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
};

/** Returns the relying party of a page; undefined for an IP address, for which there are no passkeys. */
export function relyingPartyOf(origin: string | undefined): RelyingParty | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : undefined;
}

/** Options for a browser to create a passkey, whose authenticator verifies the person (PIN, fingerprint or face). */
export async function creationOptions(
  { id }: RelyingParty,
  {
    user,
    name,
    exclude,
  }: { user: { id: string; email: string; fullName: string }; name: string; exclude: CredentialDescriptor[] },
): Promise<Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>> {
  const { generateRegistrationOptions } = await library();
  const { extensions: _, ...options } = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.fullName,
    excludeCredentials: exclude.map(forLibrary),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CEREMONY_MS,
  });
  return options;
}

/**
 * Options for a browser to use a passkey.
 * @param allow the credentials to choose from; empty for all that the browser finds
 */
export async function requestOptions(
  { id }: RelyingParty,
  allow: readonly CredentialDescriptor[],
): Promise<Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>> {
  const { generateAuthenticationOptions } = await library();
  const { extensions: _, ...options } = await generateAuthenticationOptions({
    rpID: id,
    allowCredentials: allow.map(forLibrary),
    userVerification: 'required',
    timeout: CEREMONY_MS,
  });
  return options;
}

/** A new credential whose creation was verified. */
export type NewCredential = { credentialId: string; publicKey: Buffer; counter: number };

/**
 * Verifies a created credential.
 * @throws Error with the reason
 */
export async function verifyCreation(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, clientDataJSON, attestationObject, transports }: Attestation,
): Promise<NewCredential> {
  await assertWithoutCertificates(attestationObject);
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...envelope(credentialId),
      response: { clientDataJSON, attestationObject, transports: transports as [] },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) throw new Error('the attestation was not verified');
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  };
}

/**
 * Refuses attestations with certificates: to verify one, the library would fetch lists of revoked certificates from the
 * addresses in its certificates. Browsers remove such attestations, because Lintel asks for none.
 */
async function assertWithoutCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  const isSelf = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelf) throw new Error('an attestation was not asked for');
}

/**
 * Verifies that an authenticator has signed the challenge, and has verified the person.
 * @returns the signature counter to be stored
 * @throws Error with the reason
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, ...response }: Assertion,
  stored: { publicKey: Buffer; counter: number },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...envelope(credentialId), response },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: credentialId, publicKey: new Uint8Array(stored.publicKey), counter: stored.counter },
    requireUserVerification: true,
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
}

/** The fields that every response has in the same form. */
function envelope(credentialId: string) {
  return { id: credentialId, rawId: credentialId, type: 'public-key' as const, clientExtensionResults: {} };
}

function forLibrary({ credentialId, transports }: CredentialDescriptor) {
  return { id: credentialId, transports };
}
