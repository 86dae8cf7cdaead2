import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import { sessionCookie } from '../adapters/auth/cookie.ts';
import type { Actor, Services } from '../context.ts';
import { readActor } from '../features/session/session.queries.ts';
import { isMeantFor } from './meant-for.ts';
import { isOwnOrigin, isSecure } from './origin.ts';

/**
 * The person behind a request that is no procedure, if they may do what it asks.
 * @throws AppError `forbidden` for a request of another site's page, too
 */
export async function permittedActor(
  services: Services,
  request: FastifyRequest,
  permission: Permission,
): Promise<Actor> {
  const actor = await callerOf(services, request);
  if (!actor.permissions.includes(permission)) throw new AppError('forbidden');
  return actor;
}

/**
 * The person behind a request that is no procedure, whatever they may do.
 * @throws AppError `forbidden` for a request of another site's page
 */
export async function callerOf(services: Services, request: FastifyRequest): Promise<Actor> {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('forbidden');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    // The header is one that a foreign form cannot send.
    const own = isOwnOrigin(services.env, headers.origin, headers.host) && headers['x-app'] === '1';
    if (!own) throw new AppError('forbidden');
  }
  const cookie = sessionCookie(isSecure(services.env));
  const actor = await readActor(services, cookie.read(headers.cookie));
  if (actor === undefined || !isMeantFor(actor, headers)) throw new AppError('unauthenticated');
  return actor;
}
