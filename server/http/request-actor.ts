import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { actorOf, readActor } from '../access/actor.ts';
import { sessionCookie } from '../adapters/auth/cookie.ts';
import { isOwnOrigin, isSecure } from '../adapters/network/origin.ts';
import type { Services, SignedInContext } from '../kernel/context.ts';
import { matchesPersonHeader } from './person-header.ts';

/**
 * Returns the actor of a request outside tRPC, if the actor has the permission.
 * @throws AppError `unauthenticated`, or `forbidden`, also for requests from pages of other sites
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
 * Returns the actor of a request outside tRPC, whatever their permissions.
 * @throws AppError `unauthenticated`, or `forbidden` for requests from pages of other sites
 */
export async function callerOf(services: Services, request: FastifyRequest): Promise<Actor> {
  // A form of another site cannot set this header.
  if (isWrite(request) && request.headers['x-app'] !== '1') throw new AppError('forbidden');
  return signedCallerOf(services, request);
}

/**
 * Like `callerOf`, for requests that a library sends without our header. Another site cannot send such requests either: it has
 * no signed address, or must not send their content type.
 */
export async function signedCallerOf(services: Services, request: FastifyRequest): Promise<Actor> {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('forbidden');
  if (isWrite(request) && !isOwnOrigin(services.env, headers.origin, headers.host)) {
    throw new AppError('forbidden');
  }
  const actor = await actorBehind(services, request);
  if (actor === undefined || !matchesPersonHeader(actor, headers)) throw new AppError('unauthenticated');
  return actor;
}

/** The context of a command from a request outside tRPC. It sets no cookie. */
export function contextOf(services: Services, request: FastifyRequest, actor: Actor): SignedInContext {
  const client = services.clientOf(request.raw);
  return { services, actor, requestId: request.id, ...client, setCookie: () => undefined };
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Session ids of requests in progress. */
const sessionOf = new WeakMap<FastifyRequest, string>();

/**
 * Returns the actor of a request. An upload may take longer than a replaced token stays valid, so after the first check
 * the request is bound to its session instead.
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
