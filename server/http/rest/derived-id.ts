import { createHmac } from 'node:crypto';

/**
 * An id made from an `Idempotency-Key`: always the same for the same key; nobody can guess it without the API key.
 * @param purpose what the id is for
 * @returns a UUID of version 8 (RFC 9562)
 */
export function derivedId(apiKey: string, purpose: 'operation' | 'row', idempotencyKey: string): string {
  const hex = createHmac('sha256', apiKey).update(`${purpose}\n${idempotencyKey}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
