import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The public key of a signing key, in SPKI, base64. A restore checks signatures with it. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Whether a text is the public key of a signing key, as `publicKeyOf` returns it. */
export function isPublicKey(text: string): boolean {
  try {
    return (
      createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' }).asymmetricKeyType ===
      'ed25519'
    );
  } catch {
    return false;
  }
}

/** Parses an Ed25519 private key in PKCS #8, base64. @returns undefined if it is not one */
export function readSigningKey(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
