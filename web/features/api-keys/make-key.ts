import { API_KEY_PREFIX } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { sha256Of } from '../../lib/sha256.ts';

const KEY_BYTES = 32;

/** Makes a key, which only its maker ever sees. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return API_KEY_PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The hash by which the server knows a key: its SHA-256, in hexadecimal. */
export function hashOfKey(key: string): Promise<string> {
  return sha256Of(new TextEncoder().encode(key).buffer);
}
