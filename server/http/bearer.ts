import type { FastifyRequest } from 'fastify';

/** The credential of `Authorization: Bearer` (RFC 6750); undefined without one. */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
