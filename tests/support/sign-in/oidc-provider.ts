import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import type { ProviderSettings } from '#server/kernel/sign-in/sign-in-file.ts';

/** Claims of an account at the provider. */
export type AccountClaims = {
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  groups?: string[];
  sites?: string[];
};

export type TestProvider = {
  settings: ProviderSettings;
  /** The accounts by their ids. */
  accounts: Map<string, AccountClaims>;
  /** The account that signs in next, without a prompt; undefined: the person cancels. */
  as: string | undefined;
  /** Registers a server as a client. The provider answers only after this. */
  serve(lintelUrl: string): void;
  /** Signs an account out at the provider, which sends a logout token to Lintel. */
  signOut(browser: Browser): Promise<void>;
  stop(): Promise<void>;
};

type Browser = {
  get(url: string): Promise<{ url: string; status: number; text: string }>;
  post(url: string, form: string): Promise<unknown>;
};

/** Lifetime of tokens and sessions, in seconds. */
const TTL = 600;
const CLIENT = { id: 'lintel', secret: 'a-secret-of-the-client' };

/** Suppresses warnings of the library about options that a test does not need. */
function quietly<T>(work: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}

/** Starts a real OpenID provider on this machine, which signs in the account that the test chooses. */
export async function startTestProvider(settings: Partial<ProviderSettings> = {}): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  let handler: ReturnType<Provider['callback']> | undefined;
  let provider: Provider | undefined;
  const http = createServer((request, response) => {
    void (async () => {
      if (provider === undefined || handler === undefined) return response.writeHead(503).end();
      if (request.url?.startsWith('/interaction/') === true) return interact(provider, request, response);
      return handler(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  async function interact(at: Provider, ...exchange: Parameters<typeof at.interactionDetails>) {
    const { prompt, params } = await at.interactionDetails(...exchange);
    if (test.as === undefined) {
      const refused = { error: 'access_denied', error_description: 'cancelled' };
      return at.interactionFinished(...exchange, refused, { mergeWithLastSubmission: false });
    }
    if (prompt.name === 'login') {
      const result = { login: { accountId: test.as } };
      return at.interactionFinished(...exchange, result, { mergeWithLastSubmission: false });
    }
    const grant = new at.Grant({ accountId: test.as, clientId: String(params['client_id']) });
    grant.addOIDCScope('openid email profile');
    const result = { consent: { grantId: await grant.save() } };
    return at.interactionFinished(...exchange, result, { mergeWithLastSubmission: true });
  }

  const test: TestProvider = {
    settings: {
      id: 'harbour',
      name: 'Harbour Group',
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: ['openid', 'email', 'profile'],
      emailVerified: 'claim',
      reauthentication: 'auth_time',
      ...settings,
    },
    accounts: new Map(),
    as: undefined,
    serve(lintelUrl) {
      const back = `${lintelUrl}/sign-in/harbour`;
      provider = quietly(
        () =>
          new Provider(issuer, {
            clients: [
              {
                client_id: CLIENT.id,
                client_secret: CLIENT.secret,
                redirect_uris: [`${back}/callback`],
                backchannel_logout_uri: `${back}/logout`,
                backchannel_logout_session_required: true,
              },
            ],
            cookies: { keys: ['a key of the test'] },
            claims: {
              openid: ['sub', 'sid'],
              email: ['email', 'email_verified'],
              profile: ['given_name', 'family_name', 'groups', 'sites'],
            },
            features: {
              devInteractions: { enabled: false },
              backchannelLogout: { enabled: true },
              rpInitiatedLogout: {
                enabled: true,
                logoutSource: (ctx, form) => void Object.assign(ctx, { body: form }),
                postLogoutSuccessSource: (ctx) => void Object.assign(ctx, { body: '' }),
              },
            },
            interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
            pkce: { required: () => true },
            findAccount: (_ctx, id) => ({
              accountId: id,
              claims: () => ({ sub: id, ...test.accounts.get(id) }),
            }),
            // Lifts the library's ban on local addresses, because Lintel runs on this machine.
            fetch: (url, options) => fetch(url, Object.assign(options ?? {}, { dispatcher: undefined })),
            jwks: { keys: [signingKey] },
            ttl: {
              AccessToken: TTL,
              AuthorizationCode: TTL,
              Grant: TTL,
              IdToken: TTL,
              Interaction: TTL,
              Session: TTL,
            },
          }),
      );
      handler = provider.callback();
    },
    async signOut(browser) {
      const page = await browser.get(`${issuer}/session/end`);
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      await browser.post(`${issuer}/session/end/confirm`, `xsrf=${xsrf}&logout=yes`);
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return test;
}
