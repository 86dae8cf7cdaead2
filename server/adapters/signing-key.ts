import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The public half of a signing key, by which a restore knows its backups; base64. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Reads an Ed25519 private key in PKCS #8, base64; undefined if it is none. */
export function readSigningKey(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
