// Uses getRandomValues, which is available everywhere: pages over plain http have no crypto.randomUUID, and Postgres
// before 18 has no uuidv7().
declare const crypto: { getRandomValues(array: Uint8Array): Uint8Array };

/**
 * A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. Sorts by creation time.
 * @param now Unix milliseconds; tests pass a fixed time
 */
export function uuidv7(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The creation time of a UUIDv7 in Unix milliseconds. */
export function timeOfUuidv7(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
