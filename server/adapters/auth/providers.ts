import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import * as oidc from 'openid-client';
import { limitedFetch } from '../network/limited-fetch.ts';

/** An identity provider cannot be reached, or its metadata are invalid. */
export class ProviderError extends Error {
  override name = 'ProviderError';
}

/** Issuer of an identity provider, and the client registration of Lintel there. */
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
  /** The provider's public keys, which verify logout tokens. */
  keys: JWTVerifyGetKey;
};

/** The providers of an installation. */
export type Providers<S extends ProviderAddress> = {
  /** Returns the settings of a provider; undefined if none has this id. */
  settingsOf(id: string): S | undefined;
  /** Returns a provider, from the cache if possible. @throws ProviderError */
  open(settings: S): Promise<Provider<S>>;
  /** Checks whether a provider can be reached, at most every few seconds. @returns the reason if it cannot */
  problemWith(settings: S): Promise<string | undefined>;
};

const TIMEOUT_SECONDS = 10;
/** Tolerated clock skew. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Time for which metadata are cached. Keys are read again when a token names an unknown key. */
const FRESH_MS = 3_600_000;
/** Delay before a failed request to a provider is retried. */
const AGAIN_AFTER_MS = 5_000;

/** State of one provider. Times are from `performance.now`. */
type ProviderState<S extends ProviderAddress> = {
  provider?: Provider<S>;
  /** Time of the last attempt to read the metadata. */
  triedAt: number;
  problem: ProviderError | undefined;
  reading?: Promise<void>;
};

/**
 * Creates the providers. Metadata are read when they are first needed, so that Lintel starts while a provider is down.
 * Concurrent callers share one request, and expired metadata are used while new ones are read.
 */
export function createProviders<S extends ProviderAddress>(all: readonly S[]): Providers<S> {
  const known = new Map<string, ProviderState<S>>();

  function stateOf({ id }: S): ProviderState<S> {
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
  // Verifies the signature of ID tokens, although they come from the issuer over TLS.
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

/** Returns the message of the innermost cause, which is the most specific. */
function reasonOf(error: unknown): string {
  return error instanceof Error
    ? error.cause === undefined
      ? error.message
      : reasonOf(error.cause)
    : String(error);
}
