import { API_KEY_PREFIX } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { sha256Of } from '../../lib/sha256.ts';

const KEY_BYTES = 32;

/** Generates an API key, which only the person who creates it ever sees. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return API_KEY_PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the hash that identifies a key on the server: its SHA-256, in hexadecimal. */
export function hashOfKey(key: string): Promise<string> {
  return sha256Of(new TextEncoder().encode(key).buffer);
}
