import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import * as oidc from 'openid-client';
import { limitedFetch } from '../network/limited-fetch.ts';

/** A provider does not answer, or its metadata cannot be right. */
export class ProviderError extends Error {
  override name = 'ProviderError';
}

/** Where a provider is, and who we are there. */
export type ProviderAddress = {
  id: string;
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
};

/** A provider with its metadata. */
export type Provider<S extends ProviderAddress = ProviderAddress> = {
  settings: S;
  configuration: oidc.Configuration;
  /** Its keys, for the tokens that it sends by itself. */
  keys: JWTVerifyGetKey;
};

/** The providers of an installation. */
export type Providers<S extends ProviderAddress> = {
  /** Undefined if there is none with this id. */
  settingsOf(id: string): S | undefined;
  /** @throws ProviderError */
  open(settings: S): Promise<Provider<S>>;
  /** Asks a provider whether it answers, unless it was asked just now. @returns the reason why not */
  problemWith(settings: S): Promise<string | undefined>;
};

const TIMEOUT_SECONDS = 10;
/** Difference of clocks that is tolerated. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Metadata are read again after this time; keys are read when one is unknown. */
const FRESH_MS = 3_600_000;
/** A provider that did not answer is asked again after this time. */
const AGAIN_AFTER_MS = 5_000;

/** What is known of a provider. Times are those of `performance.now`. */
type Known<S extends ProviderAddress> = {
  provider?: Provider<S>;
  /** The last attempt to read its metadata. */
  triedAt: number;
  problem: ProviderError | undefined;
  reading?: Promise<void>;
};

/**
 * Creates the providers. Their metadata are read when they are first needed, so that Lintel starts while one is down, and once at a
 * time for all callers. Old metadata are used while new ones are read.
 */
export function createProviders<S extends ProviderAddress>(all: readonly S[]): Providers<S> {
  const known = new Map<string, Known<S>>();

  function stateOf({ id }: S): Known<S> {
    const state = known.get(id) ?? { triedAt: Number.NEGATIVE_INFINITY, problem: undefined };
    known.set(id, state);
    return state;
  }

  function read(settings: S): Promise<void> {
    const state = stateOf(settings);
    state.reading ??= discover(settings)
      .then(
        (provider) => {
          state.provider = provider;
          state.problem = undefined;
        },
        (error: unknown) => {
          state.problem = new ProviderError(reasonOf(error), { cause: error });
        },
      )
      .finally(() => {
        state.triedAt = performance.now();
        delete state.reading;
      });
    return state.reading;
  }

  return {
    settingsOf: (id) => all.find((one) => one.id === id),
    async open(settings) {
      const state = stateOf(settings);
      const age = performance.now() - state.triedAt;
      const isOld = age > (state.problem === undefined ? FRESH_MS : AGAIN_AFTER_MS);
      if (state.provider !== undefined) {
        if (isOld) void read(settings);
        return state.provider;
      }
      if (isOld) await read(settings);
      if (state.provider === undefined) throw state.problem ?? new ProviderError('it was not read');
      return state.provider;
    },
    async problemWith(settings) {
      const state = stateOf(settings);
      if (performance.now() - state.triedAt > AGAIN_AFTER_MS) await read(settings);
      return state.problem?.message;
    },
  };
}

async function discover<S extends ProviderAddress>(settings: S): Promise<Provider<S>> {
  const { issuer, clientId, clientSecret } = settings;
  // Plain http is accepted for issuers on this machine only (`sign-in-file.ts`).
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  const options = { execute, timeout: TIMEOUT_SECONDS, [oidc.customFetch]: limitedFetch };
  const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
  const server = found.serverMetadata();
  const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const configuration = new oidc.Configuration(server, clientId, metadata, clientAuth(server, clientSecret));
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[oidc.customFetch] = limitedFetch;
  // The signature of ID tokens is checked, although they come over TLS from the issuer itself.
  for (const prepare of [...execute, oidc.enableNonRepudiationChecks]) prepare(configuration);
  if (server.jwks_uri === undefined) throw new Error('its metadata name no keys (jwks_uri)');
  const keys = createRemoteJWKSet(new URL(server.jwks_uri), {
    timeoutDuration: TIMEOUT_SECONDS * 1_000,
    [joseFetch]: limitedFetch,
  });
  return { settings, configuration, keys };
}

function clientAuth(
  { token_endpoint_auth_methods_supported: supported }: oidc.ServerMetadata,
  secret: string | undefined,
): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const takesPost = supported?.includes('client_secret_post') ?? false;
  // Without metadata, Basic is the default (OpenID Connect Discovery 1.0, section 3).
  return takesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** The innermost reason, which says most. */
function reasonOf(error: unknown): string {
  return error instanceof Error
    ? error.cause === undefined
      ? error.message
      : reasonOf(error.cause)
    : String(error);
}
