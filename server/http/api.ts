import type { AnyTRPCRouter as AnyRouter } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { type Actor, actorOf } from '../access/actor.ts';
import { DISPLAY_COOKIE_MS, readDisplay } from '../access/displays.ts';
import { deviceCookie, displayCookie, pendingLinkCookie, sessionCookie } from '../adapters/auth/cookie.ts';
import type { ValidSession } from '../adapters/auth/recent-sessions.ts';
import { networkOf } from '../adapters/network/network-of.ts';
import { isOwnOrigin, isSecure } from '../adapters/network/origin.ts';
import type { Context, Services } from '../kernel/context.ts';
import { describeError, isBusy } from '../kernel/database-errors.ts';
import { isUnexpected, type Meta, toTrpcError } from '../kernel/trpc.ts';
import { bytesOf } from './body-size.ts';
import { CALL_LIMITS, CallLimiter, type CallLimits } from './call-limits.ts';
import { type CallOptions, createDirectCalls, plainPathsOf } from './direct-calls.ts';
import { matchesPersonHeader } from './person-header.ts';
import { sendError } from './refusal.ts';

const PREFIX = '/trpc/';
const MAX_BATCH = 20;
/** Sent by the page of a display with each call. */
const DISPLAY_HEADER = 'x-display';

/**
 * tRPC over HTTP: the checks before a procedure runs, and the context of each call.
 * @param router all procedures of the API
 */
export async function mountApi(
  app: FastifyInstance,
  services: Services,
  router: AnyRouter,
  limits: CallLimits = CALL_LIMITS,
): Promise<void> {
  const procedures: Readonly<Record<string, { _def: { type: string; meta?: Meta } }>> =
    router._def.procedures;
  const subscriptions = new Set(
    Object.keys(procedures).filter((path) => procedures[path]?._def.type === 'subscription'),
  );
  const provenByCommand = new Set(
    Object.keys(procedures).filter((path) => procedures[path]?._def.meta?.provenByCommand === true),
  );
  const { env, log } = services;
  const cookie = sessionCookie(isSecure(env));
  const deviceMarks = deviceCookie(isSecure(env));
  const pendingLinks = pendingLinkCookie(isSecure(env));
  const screens = displayCookie(isSecure(env));
  const people = new CallLimiter(limits.person);
  const displays = new CallLimiter(limits.anonymous);
  const sent = new CallLimiter(limits.bytes ?? CALL_LIMITS.bytes);
  const devices = new CallLimiter(limits.anonymous);
  const networks = new CallLimiter(limits.anonymous);

  /**
   * Counts calls against their limits.
   * @param caller.device a device on which a person has signed in before; it does not share the limit of its network
   */
  function count(
    req: FastifyRequest,
    caller: { userId?: string | undefined; device?: string | undefined; displayId?: string | undefined },
  ): void {
    const calls = pathsOf(req)?.length ?? 1;
    const { userId, device, displayId } = caller;
    let wait: number;
    if (displayId !== undefined) wait = displays.take(displayId, calls);
    else if (userId !== undefined) wait = people.take(userId, calls) || sent.take(userId, bytesOf(req));
    else if (device !== undefined) wait = devices.take(device, calls);
    else wait = networks.take(networkOf(services.clientOf(req.raw).address), calls);
    if (wait === 0) return;
    throw toTrpcError(
      new AppError('rate_limited', {
        data: { retryAfterSeconds: wait },
        message: messages.common.rateLimited(wait),
      }),
    );
  }

  async function createContext({ req, res }: { req: FastifyRequest; res: FastifyReply }): Promise<Context> {
    if (req.headers[DISPLAY_HEADER] === '1') return createDisplayContext(req, res);
    const device = deviceMarks.read(req.headers.cookie);
    const token = cookie.read(req.headers.cookie) ?? '';
    const setCookie = cookieSetter(res);
    const validate = async () => {
      const session = await services.sessions.validate(token);
      const renewed = session?.tokenOutdated === true ? await services.sessions.renewToken(token) : undefined;
      if (renewed !== undefined) setCookie(cookie.set(renewed.token, renewed.absoluteExpiresAt));
      return ownActor(session, req);
    };
    const known = mayBeginFromMemory(req) ? services.sessions.recall(token) : undefined;
    const remembered = ownActor(known?.session, req);
    const { actor, deviceId } =
      remembered === undefined ? await identify(req, validate, device) : { actor: remembered };
    count(req, { userId: actor?.userId, device: deviceId });
    return {
      services,
      actor,
      recalled: remembered && known && { tokenHash: known.tokenHash, credential: 'session', validate },
      requestId: req.id,
      ...services.clientOf(req.raw),
      origin: req.method === 'POST' ? req.headers.origin : undefined,
      device,
      pendingLink: pendingLinks.read(req.headers.cookie),
      setCookie,
    };
  }

  /** Whether every call of the request verifies its caller in the database. All queries do, and GET serves only queries. */
  function mayBeginFromMemory(req: FastifyRequest): boolean {
    return req.method === 'GET' || pathsOf(req)?.every((path) => provenByCommand.has(path)) === true;
  }

  /** For calls with the header of a display's page: only the credential is used, not a session of the same browser. */
  async function createDisplayContext(req: FastifyRequest, res: FastifyReply): Promise<Context> {
    const token = screens.read(req.headers.cookie) ?? '';
    const display = await orWireError(req, () => readDisplay(services.db, token));
    count(req, { displayId: display?.displayId });
    const setCookie = cookieSetter(res);
    if (display !== undefined) {
      const until = new Date(services.clock.now().getTime() + DISPLAY_COOKIE_MS);
      for (const header of screens.set(token, until.toISOString())) setCookie(header);
    }
    return {
      services,
      actor: undefined,
      display,
      requestId: req.id,
      ...services.clientOf(req.raw),
      setCookie,
    };
  }

  /** The actor of a session; undefined also if the call names another person, who was signed in on this device before. */
  function ownActor(session: ValidSession | undefined, { headers }: FastifyRequest): Actor | undefined {
    const actor = session && actorOf(session);
    return matchesPersonHeader(actor, headers) ? actor : undefined;
  }

  async function identify(
    req: FastifyRequest,
    validate: () => Promise<Actor | undefined>,
    device: string | undefined,
  ): Promise<{ actor: Actor | undefined; deviceId?: string | undefined }> {
    return orWireError(req, async () => {
      const actor = await validate();
      return { actor, deviceId: actor === undefined ? await services.devices.idOf(device) : undefined };
    });
  }

  const options: CallOptions = {
    router,
    createContext,
    maxBatchSize: MAX_BATCH,
    // Clears cached photos and pages. "storage" would also delete the send queue.
    responseMeta: ({ paths }) =>
      paths?.includes('session.signOut') === true ? { headers: { 'clear-site-data': '"cache"' } } : {},
    onError({ error, path, req }) {
      if (!isUnexpected(error)) return;
      log.error(
        { reference: req.id, procedure: path, causes: describeError(error.cause ?? error) },
        'unexpected error',
      );
    },
  };
  const answerDirectly = createDirectCalls(options);

  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const problem = problemOf(request, env, subscriptions);
      reply.header('cache-control', 'no-store');
      if (problem === undefined) done();
      else sendError(request, reply, problem);
    });
    // With the time in every response, a device can determine the error of its clock.
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      reply.header('x-server-time', services.clock.now().toISOString());
      done();
    });
    // Bodies are parsed together with their calls, which report a body that cannot be read.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.all<{ Params: { path: string } }>(`${PREFIX}:path`, async (req, res) => {
      const answer = answerDirectly(req, res);
      if (answer !== undefined) return answer;
      await fastifyRequestHandler({
        ...options,
        // The adapter writes an answer in one go. The app itself sends no request that the adapter handles.
        createContext: async (of) => ({ ...(await createContext(of)), writtenAtOnce: true }),
        req,
        res,
        path: req.params.path,
        // A query whose input is too long for a URL is posted.
        allowMethodOverride: true,
      });
    });
  });
}

/** Translates an error from identifying the caller, because tRPC does not translate it without a context. */
async function orWireError<Answer>(req: FastifyRequest, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (isBusy(error)) throw toTrpcError(new AppError('busy', { cause: error }));
    throw toTrpcError(new AppError('internal', { data: { reference: req.id }, cause: error }));
  }
}

/**
 * Sends only the last value of each cookie: ending a session replaces the token that the same call has just renewed.
 */
function cookieSetter(reply: FastifyReply): (header: string) => void {
  const byName = new Map<string, string>();
  return (header) => {
    byName.set(header.slice(0, header.indexOf('=')), header);
    reply.removeHeader('set-cookie').header('set-cookie', [...byName.values()]);
  };
}

/** Runs all checks that need no body, in order; the first failure is returned. */
function problemOf(
  request: FastifyRequest,
  env: Services['env'],
  subscriptions: ReadonlySet<string>,
): AppError | undefined {
  const { method, headers } = request;
  const paths = pathsOf(request);
  // tRPC makes a URL from the `Host`. An invalid one would fail there like a bug of the server.
  const hasHost = URL.canParse(`http://${headers.host ?? 'localhost'}`);
  if (paths === undefined || !hasHost) return new AppError('invalid', { data: { fields: {} } });
  if (method !== 'GET' && method !== 'POST' && method !== 'HEAD') return new AppError('unsupported');
  const writes = method === 'POST';
  if (writes && !isOwnOrigin(env, headers.origin, headers.host)) return new AppError('forbidden');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return new AppError('forbidden');
  // tRPC would open an event stream for a subscription; subscriptions are served only on the socket.
  if (paths.some((path) => subscriptions.has(path))) return new AppError('unsupported');
  if (!writes) return undefined;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') return new AppError('unsupported');
  // Only scripts of our own origin can set a custom header: other origins need a preflight, which is not answered.
  return headers['x-app'] === '1' ? undefined : new AppError('forbidden');
}

/**
 * The procedures named in a request. Names never contain characters that need encoding, so a path still encoded after
 * one decoding is rejected: tRPC decodes a second time and would find more calls than are counted here.
 * @returns undefined for an invalid path
 */
function pathsOf(request: FastifyRequest): string[] | undefined {
  const plain = plainPathsOf(request.url);
  if (plain !== undefined) return plain.paths.split(',');
  const { pathname } = new URL(request.url, 'http://here');
  // The router matches the decoded URL, so the prefix may be spelled differently, and longer, here.
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
