import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { deviceCookie, sessionCookie } from '../adapters/auth/cookie.ts';
import type { Context, Services } from '../context.ts';
import { describeError, isBusy } from '../database-errors.ts';
import { actorOf } from '../features/session/session.queries.ts';
import { appRouter } from '../router.ts';
import { isUnexpected, toTrpcError } from '../trpc.ts';
import { CALL_LIMITS, CallLimiter, type CallLimits } from './call-limits.ts';
import { isMeantFor } from './meant-for.ts';
import { networkOf } from './network-of.ts';
import { isOwnOrigin, isSecure } from './origin.ts';
import { refuse } from './refusal.ts';

/** The largest body that a procedure is given, in bytes. Files do not travel this way. */
export const BODY_MAX = 256 * 1024;
const PREFIX = '/trpc/';
const MAX_BATCH = 20;
// The cast: the compiler knows the nested routers, not the flat record of paths that tRPC keeps beside them.
const PROCEDURES = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(
  Object.keys(PROCEDURES).filter((path) => PROCEDURES[path]?._def.type === 'subscription'),
);

/** tRPC over HTTP: what may come near a procedure, and what a procedure knows of its caller. */
export async function mountApi(
  app: FastifyInstance,
  services: Services,
  limits: CallLimits = CALL_LIMITS,
): Promise<void> {
  const { env, log } = services;
  const cookie = sessionCookie(isSecure(env));
  const deviceMarks = deviceCookie(isSecure(env));
  const people = new CallLimiter(limits.person);
  const sent = new CallLimiter(limits.bytes ?? CALL_LIMITS.bytes);
  const devices = new CallLimiter(limits.anonymous);
  const networks = new CallLimiter(limits.anonymous);

  /** @param caller.device somebody has signed in on it: it does not share what others in its network use up */
  function count(
    req: FastifyRequest,
    caller: { userId: string | undefined; device: string | undefined },
  ): void {
    const calls = pathsOf(req)?.length ?? 1;
    const { userId, device } = caller;
    let wait: number;
    if (userId !== undefined) wait = people.take(userId, calls) || sent.take(userId, bytesOf(req));
    else if (device !== undefined) wait = devices.take(device, calls);
    else wait = networks.take(networkOf(req.ip), calls);
    if (wait === 0) return;
    throw toTrpcError(
      new AppError('rate_limited', {
        data: { retryAfterSeconds: wait },
        message: messages.common.rateLimited(wait),
      }),
    );
  }

  async function createContext({ req, res }: { req: FastifyRequest; res: FastifyReply }): Promise<Context> {
    const device = deviceMarks.read(req.headers.cookie);
    const { actor, deviceId, renewed } = await readCaller(req, device);
    count(req, { userId: actor?.userId, device: deviceId });
    const setCookie = cookieSetter(res);
    if (renewed !== undefined) setCookie(cookie.set(renewed.token, renewed.absoluteExpiresAt));
    return {
      services,
      actor,
      requestId: req.id,
      address: req.ip,
      userAgent: req.headers['user-agent'] ?? '',
      device,
      setCookie,
    };
  }

  async function readCaller(req: FastifyRequest, device: string | undefined) {
    try {
      const token = cookie.read(req.headers.cookie) ?? '';
      const session = await services.sessions.validate(token);
      const found = session && actorOf(session);
      const actor = isMeantFor(found, req.headers) ? found : undefined;
      const deviceId = actor === undefined ? await services.devices.idOf(device) : undefined;
      const renewed = session?.tokenOutdated === true ? await services.sessions.renewToken(token) : undefined;
      return { actor, deviceId, renewed };
    } catch (error) {
      // Without a context nothing translates it.
      if (isBusy(error)) throw toTrpcError(new AppError('busy', { cause: error }));
      throw toTrpcError(new AppError('internal', { data: { reference: req.id }, cause: error }));
    }
  }

  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const problem = problemOf(request, env);
      reply.header('cache-control', 'no-store');
      if (problem !== undefined) return refuse(request, reply, problem);
    });
    // By it a device learns how wrong its clock is, at every contact.
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('x-server-time', services.clock.now().toISOString());
    });
    await scope.register(fastifyTRPCPlugin<typeof appRouter>, {
      prefix: '/trpc',
      trpcOptions: {
        router: appRouter,
        createContext,
        maxBatchSize: MAX_BATCH,
        allowMethodOverride: false,
        // Photos and pages that the browser keeps by itself. "storage" would take what waits to be sent with it.
        responseMeta: ({ paths }) =>
          paths?.includes('session.signOut') === true ? { headers: { 'clear-site-data': '"cache"' } } : {},
        onError({ error, path, req }) {
          if (!isUnexpected(error)) return;
          log.error(
            { reference: req.id, procedure: path, causes: describeError(error.cause ?? error) },
            'unexpected error',
          );
        },
      },
    });
  });
}

/** Length of a body, by its own word where it has one: the server reads no more than that. */
function bytesOf({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : BODY_MAX;
}

/** Of one cookie the last value counts: a session that ends takes back the token that its call was just given. */
function cookieSetter(reply: FastifyReply): (header: string) => void {
  const byName = new Map<string, string>();
  return (header) => {
    byName.set(header.slice(0, header.indexOf('=')), header);
    reply.removeHeader('set-cookie').header('set-cookie', [...byName.values()]);
  };
}

/** Every check that needs no body, in order; the first failure answers. */
function problemOf(request: FastifyRequest, env: Services['env']): AppError | undefined {
  const { method, headers } = request;
  const paths = pathsOf(request);
  if (paths === undefined) return new AppError('invalid', { data: { fields: {} } });
  if (method !== 'GET' && method !== 'POST' && method !== 'HEAD') return new AppError('unsupported');
  const writes = method === 'POST';
  if (writes && !isOwnOrigin(env, headers.origin, headers.host)) return new AppError('forbidden');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return new AppError('forbidden');
  // tRPC would open an event stream for it: what is live travels on the socket alone.
  if (paths.some((path) => SUBSCRIPTIONS.has(path))) return new AppError('unsupported');
  if (!writes) return undefined;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') return new AppError('unsupported');
  // Only a script of our own pages can add it: any other would need a preflight, which nobody answers.
  return headers['x-app'] === '1' ? undefined : new AppError('forbidden');
}

/**
 * The procedures that a request names. No name holds what must be encoded, so that a path which is still encoded after
 * one decoding is none: tRPC decodes it a second time, and would find more calls in it than were counted here.
 * @returns undefined for what is no path
 */
function pathsOf(request: FastifyRequest): string[] | undefined {
  const { pathname } = new URL(request.url, 'http://here');
  // The router decodes the whole address: what it took for this prefix may be written otherwise, and longer.
  if (!pathname.startsWith(PREFIX)) return undefined;
  const path = decoded(pathname.slice(PREFIX.length));
  return path === undefined || path.includes('%') ? undefined : path.split(',');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
