import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { actorOf, readActor } from '../access/actor.ts';
import { sessionCookie } from '../adapters/auth/cookie.ts';
import { isOwnOrigin, isSecure } from '../adapters/network/origin.ts';
import type { Services } from '../kernel/context.ts';
import { matchesPersonHeader } from './person-header.ts';

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
  const actor = await actorBehind(services, request);
  if (actor === undefined || !matchesPersonHeader(actor, headers)) throw new AppError('unauthenticated');
  return actor;
}

/** Sessions of requests that are under way. */
const sessionOf = new WeakMap<FastifyRequest, string>();

/**
 * A file may take longer to come than a token that was replaced meanwhile is good for: once the token has been looked
 * at, the request is its session's.
 */
async function actorBehind(services: Services, request: FastifyRequest): Promise<Actor | undefined> {
  const known = sessionOf.get(request);
  if (known !== undefined) {
    const session = await services.sessions.validateById(known);
    return session && actorOf(session);
  }
  const cookie = sessionCookie(isSecure(services.env));
  const actor = await readActor(services, cookie.read(request.headers.cookie));
  if (actor !== undefined) sessionOf.set(request, actor.sessionId);
  return actor;
}
