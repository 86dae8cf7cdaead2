import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { SignInProblem } from '#shared/features/users/sign-in.ts';
import { type Provider, ProviderError } from '../../adapters/auth/providers.ts';
import { isFresh, seal, unseal } from '../../adapters/auth/sealed.ts';
import { countAttempt, MINUTE_MS } from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';
import type { Claims } from './provider-claims.ts';

/** Lifetime of a sign-in flow. */
export const FLOW_MS = 15 * MINUTE_MS;
const PURPOSE = 'sign-in-flow';
/** Maximum length of a subject (OpenID Connect Core 1.0, section 2). */
const SUBJECT_MAX = 255;

/** A maximum age of the authentication at the provider, in seconds, that no session there reaches: ten years. */
const ANY_AGE = '315360000';

/**
 * Prefix of the `state` of a flow in which a signed-in person authenticates again, so that the page to return to is known without
 * the cookie.
 */
const AGAIN = 'again.';

/** Whether the `state` of a response belongs to such a flow. */
export function isReauthentication(state: string | null): boolean {
  return state?.startsWith(AGAIN) === true;
}

/** Tolerated difference between the clocks of the provider and of this server. */
export const CLOCK_SKEW_MS = MINUTE_MS;

const reauthenticationSchema = z.object({
  sessionId: z.string(),
  /** Start of the flow, ISO, by the clock of sessions. */
  at: z.string(),
});
/** The session whose person authenticates again, and the start of the flow. */
export type Reauthentication = z.infer<typeof reauthenticationSchema>;

/** State of a sign-in flow, which the browser keeps in a sealed cookie while the person is at the provider. */
const flowSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page to open once signed in. */
  next: z.string(),
  /** Start of the flow, in Unix milliseconds. */
  begun: z.number(),
  /** Absent: the flow begins a session. */
  reauthentication: reauthenticationSchema.optional(),
});
type Flow = z.infer<typeof flowSchema>;

/** A sign-in was refused, for a reason that is shown to the person. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly problem: SignInProblem;
  constructor(problem: SignInProblem, options?: ErrorOptions) {
    super(problem, options);
    // The stack is left out, because in the log it would say nothing about a refusal, which is a normal answer.
    this.stack = `${this.name}: ${problem}`;
    this.problem = problem;
  }
}

type FlowServices = Pick<Services, 'clock' | 'signIn' | 'db'>;

/**
 * Begins a sign-in: authorisation code flow with PKCE, state and nonce.
 * @param redirectUri the address to which the provider redirects the browser
 * @returns the authorisation URL of the provider, and the value of the cookie
 */
export async function beginFlow(
  { clock, signIn }: FlowServices,
  { settings, configuration }: Provider<ProviderSettings>,
  {
    redirectUri,
    next,
    forcesLogin,
    reauthentication,
  }: {
    redirectUri: string;
    next: string;
    forcesLogin: boolean;
    reauthentication?: Reauthentication | undefined;
  },
): Promise<{ url: URL; cookie: string }> {
  const flow: Flow = {
    provider: settings.id,
    state: `${reauthentication === undefined ? '' : AGAIN}${oidc.randomState()}`,
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    next: ownPath(next),
    begun: clock.now().getTime(),
    reauthentication,
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: settings.scopes.join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    // Makes the provider ask for credentials, because another person may be signed in there in this browser.
    ...(forcesLogin && { prompt: 'login' }),
    // With a maximum age, a provider must send `auth_time` (OpenID Connect Core 1.0, 2); 0 makes it ask for credentials, too.
    max_age: reauthentication === undefined ? ANY_AGE : '0',
  });
  return { url, cookie: seal(signIn.key, PURPOSE, flow) };
}

/** A finished sign-in at the provider. */
export type ProviderResponse = {
  claims: Claims;
  sid: string | undefined;
  /** When the person entered credentials there, ISO; null if the provider did not report it. */
  authenticatedAt: string | null;
};

/**
 * Reads the flow from the cookie when the provider redirects back. Each flow can be used once. A response to another
 * flow, such as one that was begun earlier in another tab, does not use it up.
 * @param state the `state` parameter of the response
 * @throws SignInRefused `expired`
 */
export async function readFlow(
  { clock, signIn, db }: FlowServices,
  provider: string,
  { cookie, state }: { cookie: string | undefined; state: string | null },
): Promise<Flow> {
  const flow = flowSchema.safeParse(
    cookie === undefined ? undefined : unseal(signIn.key, PURPOSE, cookie),
  ).data;
  const isOurs = flow?.provider === provider && flow.state === state;
  if (!isOurs || !isWithinLifetime(flow.begun, clock.now())) throw new SignInRefused('expired');
  const key = `sign-in:${createHash('sha256').update(flow.state).digest('base64url')}`;
  if ((await countAttempt(db, new Date(flow.begun), { key, max: 1, windowMs: FLOW_MS })) > 0) {
    throw new SignInRefused('expired');
  }
  return flow;
}

/**
 * Exchanges the code for the person's claims.
 * @param url the redirect URI with the parameters of the response
 * @throws SignInRefused
 */
export async function finishFlow(
  { configuration }: Provider,
  flow: Flow,
  url: URL,
): Promise<ProviderResponse> {
  if (url.searchParams.get('error') === 'access_denied') throw new SignInRefused('cancelled');
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('there is no ID token');
    if (claims.sub.length > SUBJECT_MAX || claims.sub.includes('\0'))
      throw new Error('its subject is invalid');
    const info = await userInfo(configuration, tokens.access_token, claims.sub);
    return {
      claims: combined(claims, info),
      sid: typeof claims['sid'] === 'string' ? claims['sid'] : undefined,
      authenticatedAt: authTimeOf(claims),
    };
  } catch (error) {
    throw new SignInRefused(isUnreachable(error) ? 'provider_down' : 'refused', { cause: error });
  }
}

/** Returns the `auth_time` of an ID token as ISO; null if there is none, or if it is not a valid time. */
function authTimeOf({ auth_time: seconds }: Claims): string | null {
  const date = typeof seconds === 'number' ? new Date(seconds * 1_000) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

async function userInfo(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(configuration, accessToken, subject);
}

/** Merges claims. The signed ID token takes precedence, and `email_verified` comes from the source of `email`. */
function combined(token: Claims, info: Claims): Claims {
  const ofAddress = token['email'] === undefined ? info : token;
  return { ...info, ...token, email_verified: ofAddress['email_verified'] };
}

/** Whether a flow has not expired. */
export function isWithinLifetime(begun: number, now: Date): boolean {
  return isFresh(begun, now, FLOW_MS);
}

/** Whether a provider could not be reached or failed, rather than sent a response that is refused. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderError) return true;
  if (!(error instanceof Error)) return false;
  if (error.message === 'fetch failed' || error.name === 'TimeoutError') return true;
  if (error.cause instanceof Response && error.cause.status >= 500) return true;
  return error.cause !== undefined && isUnreachable(error.cause);
}

/** Returns a path on this site; `/` instead of an address of another site, which prevents open redirects. */
function ownPath(next: string): string {
  return /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : '/';
}
