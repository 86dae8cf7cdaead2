import { max } from 'drizzle-orm';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessions, userRoles } from '#db/schema/people.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import {
  REAUTHENTICATED_PAGE,
  reauthenticationAddress,
  type SignInProblem,
  signInAddress,
} from '#shared/features/users/sign-in.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { type CookieBrowser, createCookieBrowser } from '#tests/support/sign-in/browser.ts';
import { startForgingProvider } from '#tests/support/sign-in/forging-provider.ts';
import { UNREACHED_PROVIDER } from '#tests/support/sign-in/unreached-provider.ts';

// A signed-in person authenticates again at the provider. Its tokens are forged, so that each claim can be wrong.

const AGAIN = { sub: 'again', email: 'again@harbour.example' };
const ADDRESS = reauthenticationAddress('harbour');

let database: TestDatabase;
let provider: Awaited<ReturnType<typeof startForgingProvider>>;
let server: TestServer;
let trusting: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startForgingProvider();
  const settings = {
    ...{ ...UNREACHED_PROVIDER, scopes: ['openid'], issuer: provider.issuer, clientSecret: 'x' },
    newPeople: { role: 'viewer' as const },
  };
  const withProvider = (more: object) => ({
    ...SIGN_IN_DEFAULTS,
    providers: [{ ...settings, ...more }],
  });
  server = await startTestServer(database, { signIn: withProvider({}) });
  trusting = await startTestServer(database, { signIn: withProvider({ reauthentication: 'prompt' }) });
});
afterAll(async () => {
  await server.stop();
  await trusting.stop();
  await provider.stop();
  await database.drop();
});

const now = () => Math.floor(Date.now() / 1_000);

/** Goes to the provider. @returns the address to which the provider redirects, not opened yet */
async function toProvider(at: TestServer, browser: CookieBrowser, address: string, claims: JWTPayload) {
  provider.forge({ claims });
  const { visited } = await browser.get(`${at.url}${address}`);
  const sent = new URL(visited.find((url) => url.startsWith(provider.issuer)) ?? '');
  provider.arrive(sent.href);
  const back = new URL(`${at.url}/sign-in/harbour/callback`);
  back.searchParams.set('code', 'code');
  back.searchParams.set('state', sent.searchParams.get('state') ?? '');
  return { sent, back };
}

async function reauthenticate(at: TestServer, browser: CookieBrowser, claims: JWTPayload): Promise<URL> {
  const { back } = await toProvider(at, browser, ADDRESS, claims);
  return new URL((await browser.get(back.href)).url);
}

/** An administrator who has signed in at a provider that did not say when credentials were entered. */
async function signedIn(at: TestServer) {
  const browser = createCookieBrowser();
  const { sent, back } = await toProvider(at, browser, signInAddress('harbour', '/'), AGAIN);
  await browser.get(back.href);
  const client = clientOf(at, browser);
  const { data: me } = await client.session.me.query();
  const assignedAt = new Date().toISOString();
  await at.services.db.insert(userRoles).values({ userId: me.id, role: 'admin', assignedAt });
  // The change of role has replaced the token.
  return { browser, client: () => clientOf(at, browser), asked: sent.searchParams };
}

const clientOf = (at: TestServer, browser: CookieBrowser) =>
  createTestClient(at.url, browser.cookies(`${at.url}/trpc/`));

/** The answer to a sensitive command about a person who does not exist. */
async function answerTo(client: TestClient): Promise<string> {
  const nobody = { operationId: uuidv7(), userId: uuidv7(), active: false };
  return (await refusalOf(client.users.setActive.mutate(nobody))).code;
}

/** Whether administrators see that the provider does not report when people entered credentials. */
async function isWithoutAuthTime(client: TestClient): Promise<boolean | undefined> {
  return (await client.session.signInStatus.query()).providers[0]?.isWithoutAuthTime;
}

describe('a person who authenticates again', () => {
  test('is asked for credentials, and believed by the time of the provider', async () => {
    const { browser, client, asked } = await signedIn(server);
    // Otherwise a provider that could report the time would not do so.
    expect(Number(asked.get('max_age'))).toBeGreaterThan(365 * 86_400);
    expect(await client().session.reauthenticationOptions.query()).toEqual({
      password: false,
      hasPassword: false,
      code: false,
      passkeyHosts: [],
      providers: [{ id: 'harbour', name: 'Harbour Group' }],
    });
    expect(await answerTo(client())).toBe('reauthentication_required');
    expect(await isWithoutAuthTime(client())).toBe(true);
    const { sent, back } = await toProvider(server, browser, ADDRESS, { ...AGAIN, auth_time: now() });
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    const end = new URL((await browser.get(back.href)).url);
    expect(`${end.pathname}${end.search}`).toBe(`${REAUTHENTICATED_PAGE}?done=1`);
    expect(await answerTo(client())).toBe('not_found');
    expect(await isWithoutAuthTime(client())).toBe(false);
  });

  test('is believed without a time where the provider is trusted to ask', async () => {
    const { browser, client } = await signedIn(trusting);
    await reauthenticate(trusting, browser, { ...AGAIN, auth_time: now() - 600 });
    expect(await answerTo(client())).toBe('reauthentication_required');
    expect((await reauthenticate(trusting, browser, AGAIN)).search).toBe('?done=1');
    expect(await answerTo(client())).toBe('not_found');
  });

  test('has done so now, if the clock of the provider is ahead', async () => {
    const { browser, client } = await signedIn(server);
    await reauthenticate(server, browser, { ...AGAIN, auth_time: now() + 86_400 });
    expect(await answerTo(client())).toBe('not_found');
    const { db } = server.services;
    const [row] = await db.select({ latest: max(sessions.authenticatedAt) }).from(sessions);
    expect(Date.parse(row?.latest ?? '')).toBeLessThanOrEqual(Date.now());
  });
});

test.each<[string, JWTPayload, SignInProblem]>([
  ['does not say when', AGAIN, 'no_auth_time'],
  ['says so with a text', { ...AGAIN, auth_time: 'now' }, 'refused'],
  ['says so with a number that is no time', { ...AGAIN, auth_time: 1e300 }, 'no_auth_time'],
  ['has asked long ago', { ...AGAIN, auth_time: now() - 600 }, 'not_reauthenticated'],
  ['has asked somebody else', { ...AGAIN, sub: 'another', auth_time: now() }, 'other_account'],
])('a provider that %s is not believed', async (_what, claims, problem) => {
  const { browser, client } = await signedIn(server);
  const end = await reauthenticate(server, browser, claims);
  expect(end.pathname).toBe(REAUTHENTICATED_PAGE);
  expect(end.searchParams.get('problem')).toBe(problem);
  expect(await answerTo(client())).toBe('reauthentication_required');
});

test('counts for no session but the one that began it', async () => {
  const { browser } = await signedIn(server);
  const { back } = await toProvider(server, browser, ADDRESS, { ...AGAIN, auth_time: now() });
  await server.services.db.delete(sessions);
  const late = new URL((await browser.get(back.href)).url);
  expect(late.searchParams.get('problem')).toBe('expired');
  // A repeated answer still leads to the page of this window, not into the app.
  const again = new URL((await browser.get(back.href)).url);
  expect(again.pathname).toBe(REAUTHENTICATED_PAGE);
  // Without a session there is nobody to be authenticated again.
  const visitor = await createCookieBrowser().get(`${server.url}${ADDRESS}`);
  expect(new URL(visitor.url).searchParams.get('problem')).toBe('expired');
  expect(await server.services.db.select().from(sessions)).toEqual([]);
});
