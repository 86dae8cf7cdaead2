import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

// Encrypts and authenticates values that clients store for the server, such as the content of a cookie.

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a value.
 * @param key 32 bytes
 * @param purpose a value that was sealed for one purpose cannot be opened for another
 */
export function seal(key: Buffer, purpose: string, value: unknown): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens a sealed value. @returns undefined if it was not sealed with this key for this purpose */
export function unseal(key: Buffer, purpose: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.byteLength <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(opened.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A time at most this far in the future is accepted, because the clock may be adjusted. */
const CLOCK_STEP_MS = 60_000;

/**
 * Whether a sealed value has not expired.
 * @param begun when it was sealed, in Unix milliseconds
 */
export function isFresh(begun: number, now: Date, lifetimeMs: number): boolean {
  const ageMs = now.getTime() - begun;
  return ageMs <= lifetimeMs && ageMs >= -CLOCK_STEP_MS;
}
