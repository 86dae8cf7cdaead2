import { eq } from 'drizzle-orm';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { externalSessions } from '#db/schema/identities.ts';
import { sessions } from '#db/schema/people.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { signInAddress } from '#shared/features/users/sign-in.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { createCookieBrowser } from '#tests/support/sign-in/browser.ts';
import { type Forged, startForgingProvider } from '#tests/support/sign-in/forging-provider.ts';

// A provider that forges tokens, has a wrong clock or sends invalid responses signs nobody in.

let database: TestDatabase;
let provider: Awaited<ReturnType<typeof startForgingProvider>>;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startForgingProvider();
  const settings = {
    id: 'forged',
    name: 'Forged',
    issuer: provider.issuer,
    clientId: 'lintel',
    clientSecret: 'x',
    scopes: ['openid'],
    emailVerified: 'claim' as const,
    reauthentication: 'auth_time' as const,
    newPeople: { role: 'viewer' as const },
  };
  server = await startTestServer(database, { signIn: { ...SIGN_IN_DEFAULTS, providers: [settings] } });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await database.drop();
});
beforeEach(() => provider.forge({}));

/** Signs in at the provider with forged responses. @returns the problem, or null */
async function attempt(forged: Forged, change: (back: URL) => void = () => undefined) {
  const browser = createCookieBrowser();
  provider.forge(forged);
  const { visited } = await browser.get(`${server.url}${signInAddress('forged', '/x')}`);
  const sent = visited.find((url) => url.startsWith(provider.issuer)) ?? '';
  provider.arrive(sent);
  const back = new URL(`${server.url}/sign-in/forged/callback`);
  back.searchParams.set('code', 'code');
  back.searchParams.set('state', new URL(sent).searchParams.get('state') ?? '');
  change(back);
  const { url } = await browser.get(back.href);
  return new URL(url).searchParams.get('problem');
}

const now = () => Math.floor(Date.now() / 1_000);

test('what is right is let in, so that the refusals below are for their reasons', async () => {
  expect(await attempt({})).toBeNull();
  // A clock skew of one minute is tolerated.
  expect(await attempt({ claims: { iat: now() + 30, exp: now() - 30 } })).toBeNull();
});

test.each<[string, Forged, string?]>([
  ['metadata of another issuer', { issuer: 'https://other.example' }],
  ['a token of another issuer', { claims: { iss: 'https://other.example' } }],
  ['a token for another client', { claims: { aud: 'other' } }],
  ['a token for several clients', { claims: { aud: ['lintel', 'other'], azp: 'other' } }],
  ['a token that is past', { claims: { exp: now() - 600 } }],
  ['a token without an end', { claims: { exp: undefined } as unknown as JWTPayload }],
  ['a nonce of another sign-in', { claims: { nonce: 'used before' } }],
  ['no nonce', { claims: { nonce: undefined } as unknown as JWTPayload }],
  ['no subject', { claims: { sub: undefined } as unknown as JWTPayload }],
  ['a signature by a key that is not published', { ownKey: true }],
  ['no signature', { unsigned: true }],
  ['a signature by a key of another name', { header: { kid: 'other' } }],
  ['a code that is used or stolen', { tokens: { status: 400, body: '{"error":"invalid_grant"}' } }],
  ['tokens that are none', { tokens: { status: 200, body: 'nonsense' } }],
  ['no ID token', { tokens: { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' } }],
  ['a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
  ['10 MB', { tokens: { status: 200, body: `{"access_token":"${'a'.repeat(10_000_000)}"}` } }],
])('refuses %s', async (what, forged) => {
  const before = await server.services.db.select().from(sessions);
  const isMetadata = what.startsWith('metadata');
  if (isMetadata) {
    // Metadata are cached, so only a new server requests them.
    const { settings } = server.services.signIn;
    const other = await startTestServer(database, { signIn: settings });
    provider.forge(forged);
    const start = await fetch(`${other.url}${signInAddress('forged', '/')}`, { redirect: 'manual' });
    expect(start.headers.get('location')).toContain('problem=provider_down');
    await other.stop();
  } else expect(await attempt(forged)).toBe('refused');
  expect(await server.services.db.select().from(sessions)).toHaveLength(before.length);
});

test('says that the provider is down when that is at fault', async () => {
  expect(await attempt({ tokens: { status: 502, body: 'Bad gateway' } })).toBe('provider_down');
});

test('refuses an answer whose state is not that of this browser', async () => {
  expect(await attempt({}, (back) => back.searchParams.set('state', 'x'))).toBe('expired');
  expect(await attempt({}, (back) => back.searchParams.delete('state'))).toBe('expired');
  expect(await attempt({}, (back) => back.searchParams.delete('code'))).toBe('refused');
  expect(await attempt({}, (back) => back.searchParams.append('code', 'two'))).toBe('refused');
});

const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

async function logout(claims: JWTPayload): Promise<number> {
  const whole = {
    iss: provider.issuer,
    aud: 'lintel',
    iat: now(),
    jti: `${Math.random()}`,
    events: EVENT,
    ...claims,
  };
  const token = await provider.sign(whole);
  const answer = await fetch(`${server.url}/sign-in/forged/logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  return answer.status;
}

test('a logout token ends the sessions of its subject, once', async () => {
  const { db } = server.services;
  await attempt({ claims: { sub: 'leaver', email: 'leaver@harbour.example' } });
  const open = () => db.select().from(externalSessions).where(eq(externalSessions.subject, 'leaver'));
  expect(await open()).toHaveLength(1);
  const invalid: JWTPayload[] = [
    { sub: 'leaver', iss: 'https://other.example' },
    { sub: 'leaver', aud: 'other' },
    { sub: 'leaver', iat: now() - 3_600 },
    { sub: 'leaver', events: {} },
    { sub: 'leaver', nonce: 'an ID token is no logout token' },
    {},
  ];
  for (const claims of invalid) expect(await logout(claims), JSON.stringify(claims)).toBe(400);
  expect(await open()).toHaveLength(1);
  expect(await logout({ sub: 'leaver', jti: 'once' })).toBe(200);
  expect(await open()).toHaveLength(0);

  // A replayed token does not end sessions that have begun since.
  await attempt({ claims: { sub: 'leaver' } });
  expect(await logout({ sub: 'leaver', jti: 'once' })).toBe(200);
  expect(await open()).toHaveLength(1);
});
