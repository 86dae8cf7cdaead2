import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';

/** The parts of the provider's responses that a test can forge. */
export type Forged = {
  /** The issuer in its metadata. */
  issuer?: string;
  /** Replaces claims of the ID token. */
  claims?: JWTPayload;
  header?: Partial<JWTHeaderParameters>;
  /** Signs with a key that is not published. */
  ownKey?: boolean;
  /** Leaves the signature out, and declares this (`alg`: none). */
  unsigned?: boolean;
  /** Replaces the response with the tokens. */
  tokens?: { status: number; body: string };
};

/** Starts a provider that sends the responses a test specifies, such as signed tokens with forged claims. */
export async function startForgingProvider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { privateKey: unpublished } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  const state = { forged: {} as Forged, nonce: '', asked: 0 };
  const http = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', issuer);
      state.asked += 1;
      const send = (body: unknown, status = 200) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body));
      if (url.pathname === '/.well-known/openid-configuration') return send(metadata());
      if (url.pathname === '/jwks') return send({ keys: [jwk] });
      if (url.pathname !== '/token') return send({}, 404);
      const { tokens } = state.forged;
      if (tokens !== undefined) return send(tokens.body, tokens.status);
      return send({ access_token: 'a', token_type: 'Bearer', id_token: await idToken() });
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  function metadata() {
    return {
      issuer: state.forged.issuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  async function sign(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    if (state.forged.unsigned === true) return new UnsecuredJWT(claims).encode();
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key', ...header });
    return jwt.sign(state.forged.ownKey === true ? unpublished : privateKey);
  }

  function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: 'lintel',
      sub: 'forged',
      iat: now,
      exp: now + 60,
      nonce: state.nonce,
      email: 'forged@harbour.example',
      email_verified: true,
    };
    return sign({ ...claims, ...state.forged.claims }, state.forged.header);
  }

  return {
    issuer,
    sign,
    /** Sets the forged parts of all further responses. */
    forge(forged: Forged) {
      state.forged = forged;
    },
    /** Uses the nonce of an authorisation URL for the next ID tokens. */
    arrive(url: string) {
      state.nonce = new URL(url).searchParams.get('nonce') ?? '';
    },
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
