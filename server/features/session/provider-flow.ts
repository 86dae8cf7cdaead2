import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { SignInProblem } from '#shared/features/users/sign-in.ts';
import { type Provider, ProviderError } from '../../adapters/auth/providers.ts';
import { seal, unseal } from '../../adapters/auth/sealed.ts';
import { countAttempt, MINUTE_MS } from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';
import type { Claims } from './provider-claims.ts';

/** How long a person may take at the provider. */
export const FLOW_MS = 15 * MINUTE_MS;
const PURPOSE = 'sign-in-flow';
/** OpenID Connect Core 1.0, section 2. */
const SUBJECT_MAX = 255;

/** What the browser keeps sealed while the person is at the provider. */
const flowSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page to open once signed in. */
  next: z.string(),
  /** Unix ms. */
  begun: z.number(),
});
type Flow = z.infer<typeof flowSchema>;

/** A sign-in that led to no session, for a reason that the person is told. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly problem: SignInProblem;
  constructor(problem: SignInProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

type FlowServices = Pick<Services, 'clock' | 'signIn' | 'db'>;

/**
 * Begins a sign-in: code flow with PKCE, state and nonce.
 * @param redirectUri the address to which the provider sends the browser back
 * @returns the provider's address, and the value of the cookie
 */
export async function beginFlow(
  { clock, signIn }: FlowServices,
  { settings, configuration }: Provider<ProviderSettings>,
  { redirectUri, next, isFresh }: { redirectUri: string; next: string; isFresh: boolean },
): Promise<{ url: URL; cookie: string }> {
  const flow: Flow = {
    provider: settings.id,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    next: ownPath(next),
    begun: clock.now().getTime(),
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: settings.scopes.join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    // Somebody else may be signed in there in this browser.
    ...(isFresh && { prompt: 'login' }),
  });
  return { url, cookie: seal(signIn.key, PURPOSE, flow) };
}

/** A finished sign-in at the provider. */
export type Arrived = { claims: Claims; sid: string | undefined };

/**
 * Reads the cookie of a sign-in that comes back from the provider. Each can be used once. An answer to another sign-in, such as
 * one that was begun before in another tab, uses up nothing.
 * @param state of the answer
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
  if (!isOurs || !isYoung(flow.begun, clock.now())) throw new SignInRefused('expired');
  const key = `sign-in:${createHash('sha256').update(flow.state).digest('base64url')}`;
  if ((await countAttempt(db, new Date(flow.begun), { key, max: 1, windowMs: FLOW_MS })) > 0) {
    throw new SignInRefused('expired');
  }
  return flow;
}

/**
 * Exchanges the code for the person's claims.
 * @param url the address with which the provider sent the browser back
 * @throws SignInRefused
 */
export async function finishFlow({ configuration }: Provider, flow: Flow, url: URL): Promise<Arrived> {
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
    };
  } catch (error) {
    throw new SignInRefused(isUnreachable(error) ? 'provider_down' : 'refused', { cause: error });
  }
}

async function userInfo(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(configuration, accessToken, subject);
}

/** The ID token is signed for us, so it wins. Whether an address is verified is said where the address is. */
function combined(token: Claims, info: Claims): Claims {
  const ofAddress = token['email'] === undefined ? info : token;
  return { ...info, ...token, email_verified: ofAddress['email_verified'] };
}

/** Whether a moment is within the time that a person may take, and no later than now but for a step of a clock. */
export function isYoung(begun: number, now: Date): boolean {
  const ms = now.getTime() - begun;
  return ms <= FLOW_MS && ms >= -MINUTE_MS;
}

/** Whether a provider could not be reached, rather than answered something that is refused. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderError) return true;
  if (!(error instanceof Error)) return false;
  if (error.message === 'fetch failed' || error.name === 'TimeoutError') return true;
  if (error.cause instanceof Response && error.cause.status >= 500) return true;
  return error.cause !== undefined && isUnreachable(error.cause);
}

/** A path of this installation; never an address of another site. */
function ownPath(next: string): string {
  return /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : '/';
}
