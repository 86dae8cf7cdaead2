import type { FastifyRequest } from 'fastify';

/** Largest request body of a procedure or of an operation of the API, in bytes. Files use other routes. */
export const BODY_MAX = 256 * 1024;

/** Size of a body: its Content-Length, which the server enforces, or the maximum for chunked bodies. */
export function bytesOf({ headers }: Pick<FastifyRequest, 'headers'>): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : BODY_MAX;
}
