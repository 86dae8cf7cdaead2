import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { REAUTHENTICATED_PAGE, SIGN_IN_PATH, type SignInProblem } from '#shared/features/users/sign-in.ts';
import { readActor } from '../access/actor.ts';
import { pendingLinkCookie, sessionCookie, signInCookie } from '../adapters/auth/cookie.ts';
import { type Provider, ProviderError } from '../adapters/auth/providers.ts';
import { networkOf } from '../adapters/network/network-of.ts';
import { isSecure } from '../adapters/network/origin.ts';
import { endByProvider, isInvalidToken } from '../features/session/back-channel.ts';
import { sealPending } from '../features/session/pending-link.ts';
import { signInAtProvider } from '../features/session/provider.commands.ts';
import {
  beginFlow,
  FLOW_MS,
  finishFlow,
  isReauthentication,
  type Reauthentication,
  readFlow,
  SignInRefused,
} from '../features/session/provider-flow.ts';
import { reauthenticateAtProvider } from '../features/session/reauthenticate.commands.ts';
import { tooMany } from '../kernel/attempt-counts.ts';
import type { Context, Services } from '../kernel/context.ts';
import { describeError } from '../kernel/database-errors.ts';
import type { ProviderSettings } from '../kernel/sign-in/sign-in-file.ts';
import { CALL_LIMITS, CallLimiter } from './call-limits.ts';
import { sendError } from './refusal.ts';

type ToProvider = { Params: { provider: string } };
/** @param visit.next the page to open after the sign-in; the step sets it as soon as it knows the page */
type Step = (
  request: FastifyRequest<ToProvider>,
  reply: FastifyReply,
  visit: { next: string },
) => Promise<FastifyReply>;

const SIGN_IN_PAGE = '/auth/login';
const FORM = 'application/x-www-form-urlencoded';
const LOGOUT_MAX_BYTES = 64 * 1_024;
/** Rate limit of back-channel logouts: a provider may sign out a whole organisation at once. */
const LOGOUTS = { burst: 5_000, perSecond: 100 };
const startSchema = z.object({
  next: z.string().max(2_000).default('/'),
  fresh: z.string().optional(),
  reauthenticate: z.string().optional(),
});
const callbackSchema = z.object({ state: z.string() });
const logoutSchema = z.object({ logout_token: z.string().max(LOGOUT_MAX_BYTES) });

/** Mounts the routes of the identity providers: to a provider, back from it, and back-channel logout. */
export function mountSignIn(app: FastifyInstance, services: Services): void {
  const { env, signIn, log } = services;
  const secure = isSecure(env);
  const [flowCookie, linkCookie] = [signInCookie(secure), pendingLinkCookie(secure)];

  app.register(async (scope) => {
    const callers = new CallLimiter(CALL_LIMITS.anonymous);
    const providers = new CallLimiter(LOGOUTS);
    scope.addHook('onRequest', async (request, reply) => {
      const isPage = request.method !== 'POST';
      const waitSeconds = (isPage ? callers : providers).take(
        networkOf(services.clientOf(request.raw).address),
        1,
      );
      if (waitSeconds === 0) return undefined;
      if (!isPage) return sendError(request, reply, tooMany(waitSeconds * 1_000));
      // The person sees the answer to a navigation, so it is a page.
      reply.header('cache-control', 'no-store');
      const isAgain = startSchema.safeParse(request.query).data?.reauthenticate === '1';
      const next = isAgain ? REAUTHENTICATED_PAGE : '/';
      return reply.redirect(signInPage('busy', providerIn(request), next), 303);
    });

    addStep(scope, 'start', async (request, reply, visit) => {
      const query = startSchema.safeParse(request.query).data ?? { next: '/' };
      const isAgain = query.reauthenticate === '1';
      const next = isAgain ? REAUTHENTICATED_PAGE : query.next;
      visit.next = next;
      // The flow begins only from Lintel's own pages: another site could otherwise sign the visitor in with an account of that
      // site.
      const site = request.headers['sec-fetch-site'];
      const isOurs = site === undefined || site === 'same-origin' || site === 'none';
      if (!isOurs) return reply.redirect(`${SIGN_IN_PAGE}?${new URLSearchParams({ next })}`, 303);
      const provider = await providerOf(request.params.provider);
      const redirectUri = callbackOf(request, provider);
      const reauthentication = isAgain ? await beginReauthentication(request) : undefined;
      const forcesLogin = isAgain || query.fresh === '1';
      const flow = { redirectUri, next, forcesLogin, reauthentication };
      const { url, cookie } = await beginFlow(services, provider, flow);
      setCookie(reply, flowCookie.set(cookie, inFlowTime()));
      return reply.redirect(url.href, 303);
    });

    addStep(scope, 'callback', async (request, reply, visit) => {
      const provider = await providerOf(request.params.provider);
      const context = await contextOf(request, reply);
      // A flood of callbacks from one network must not take every connection to the database.
      const inTurn = <T>(work: () => Promise<T>) => services.commands.run(networkOf(context.address), work);
      const cookie = flowCookie.read(request.headers.cookie);
      const state = callbackSchema.safeParse(request.query).data?.state ?? null;
      if (isReauthentication(state)) visit.next = REAUTHENTICATED_PAGE;
      const flow = await inTurn(() => readFlow(services, provider.settings.id, { cookie, state }));
      visit.next = flow.next;
      setCookie(reply, flowCookie.clear());
      const arrived = await finishFlow(provider, flow, new URL(request.url, callbackOf(request, provider)));
      const { reauthentication } = flow;
      if (reauthentication !== undefined) {
        await inTurn(() => reauthenticateAtProvider(context, provider.settings, arrived, reauthentication));
        return reply.redirect(`${flow.next}?done=1`, 303);
      }
      const entered = await inTurn(() => signInAtProvider(context, provider.settings, arrived));
      if (entered === undefined) return reply.redirect(flow.next, 303);
      setCookie(reply, linkCookie.set(sealPending(services, entered.pending), inFlowTime()));
      return reply.redirect(signInPage('confirm', provider.settings.id, flow.next), 303);
    });

    // Only for this route. Elsewhere, forms must not be parsed, because other sites can submit them.
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const options = { bodyLimit: LOGOUT_MAX_BYTES };
    scope.post<ToProvider>(`${SIGN_IN_PATH}/:provider/logout`, options, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      try {
        const provider = await providerOf(request.params.provider);
        const { logout_token: token } = logoutSchema.parse(request.body);
        const network = networkOf(services.clientOf(request.raw).address);
        const ended = await services.commands.run(network, () => endByProvider(services, provider, token));
        log.info({ provider: provider.settings.id, ended }, 'a provider has ended sessions');
        return await reply.code(200).send();
      } catch (error) {
        log.warn({ causes: describeError(error) }, 'a logout token was refused');
        if (isInvalidToken(error) || error instanceof SignInRefused) {
          return reply.code(400).send({ error: 'invalid_request' });
        }
        // The failure is temporary, so the provider may retry.
        return reply.code(503).send({ error: 'temporarily_unavailable' });
      }
    });
  });

  async function providerOf(id: string): Promise<Provider<ProviderSettings>> {
    const settings = signIn.providers.settingsOf(id);
    if (settings === undefined) throw new SignInRefused('expired');
    return signIn.providers.open(settings);
  }

  /** Adds a page of the flow. If it fails, the browser goes to the sign-in page, which explains why. */
  function addStep(scope: FastifyInstance, name: string, step: Step): void {
    scope.get<ToProvider>(`${SIGN_IN_PATH}/:provider/${name}`, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { provider } = request.params;
      const visit = { next: '/' };
      try {
        return await step(request, reply, visit);
      } catch (error) {
        const problem = problemOf(error);
        const { address } = services.clientOf(request.raw);
        const tried = { address, provider, problem, causes: describeError(error) };
        if (problem === 'busy') log.error(tried, 'a sign-in has failed');
        else log.warn(tried, 'a sign-in was refused');
        return reply.redirect(signInPage(problem, provider, visit.next), 303);
      }
    });
  }

  /** @throws SignInRefused if nobody is signed in */
  async function beginReauthentication({ headers }: FastifyRequest): Promise<Reauthentication> {
    const actor = await readActor(services, sessionCookie(secure).read(headers.cookie));
    if (actor === undefined) throw new SignInRefused('expired');
    return { sessionId: actor.sessionId, at: services.sessions.now().toISOString() };
  }

  async function contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    const actor = await readActor(services, sessionCookie(secure).read(request.headers.cookie));
    const client = services.clientOf(request.raw);
    return {
      services,
      actor,
      requestId: request.id,
      ...client,
      setCookie: (header) => setCookie(reply, header),
    };
  }

  /** Returns the redirect URI. Without `PUBLIC_URL` it has the requested host; providers accept at most localhost. */
  function callbackOf({ headers }: FastifyRequest, { settings }: Provider): string {
    const base = env.publicUrl ?? `http://${headers.host ?? 'localhost'}`;
    return `${base}${SIGN_IN_PATH}/${settings.id}/callback`;
  }

  function inFlowTime(): string {
    return new Date(services.clock.now().getTime() + FLOW_MS).toISOString();
  }
}

/** The cast: each route here has this parameter. */
function providerIn({ params }: FastifyRequest): string {
  return (params as ToProvider['Params']).provider;
}

/** The page that explains why there is no session, or why the person has not authenticated again. */
function signInPage(problem: SignInProblem, provider: string, next: string): string {
  const page = next === REAUTHENTICATED_PAGE ? REAUTHENTICATED_PAGE : SIGN_IN_PAGE;
  return `${page}?${new URLSearchParams({ problem, provider, next })}`;
}

function setCookie(reply: FastifyReply, header: string): void {
  reply.header('set-cookie', header);
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof SignInRefused) return error.problem;
  return error instanceof ProviderError ? 'provider_down' : 'busy';
}
