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
  { redirectUri, next }: { redirectUri: string; next: string },
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
  });
  return { url, cookie: seal(signIn.key, PURPOSE, flow) };
}

/** A finished sign-in at the provider. */
export type Arrived = { claims: Claims; sid: string | undefined };

/**
 * Reads the cookie of a sign-in that comes back from the provider. Each can be used once.
 * @throws SignInRefused `expired`
 */
export async function readFlow(
  { clock, signIn, db }: FlowServices,
  provider: string,
  cookie: string | undefined,
): Promise<Flow> {
  const flow = flowSchema.safeParse(
    cookie === undefined ? undefined : unseal(signIn.key, PURPOSE, cookie),
  ).data;
  const now = clock.now();
  if (flow === undefined || flow.provider !== provider || now.getTime() - flow.begun > FLOW_MS) {
    throw new SignInRefused('expired');
  }
  // Windows of twice the length, of which an answer can fall into two: the provider refuses the code the second time, too.
  const key = `sign-in:${createHash('sha256').update(flow.state).digest('base64url')}`;
  if ((await countAttempt(db, now, { key, max: 1, windowMs: 2 * FLOW_MS })) > 0) {
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
    const hasInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const info = hasInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    // The ID token is signed for us, so it wins.
    return {
      claims: { ...info, ...claims },
      sid: typeof claims['sid'] === 'string' ? claims['sid'] : undefined,
    };
  } catch (error) {
    throw new SignInRefused(isUnreachable(error) ? 'provider_down' : 'refused', { cause: error });
  }
}

/** Whether a provider could not be reached, rather than answered something that is refused. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ProviderError) return true;
  if (!(error instanceof Error)) return false;
  if (error.message === 'fetch failed' || error.name === 'TimeoutError') return true;
  return error.cause !== undefined && isUnreachable(error.cause);
}

/** A path of this installation; never an address of another site. */
function ownPath(next: string): string {
  return /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : '/';
}
