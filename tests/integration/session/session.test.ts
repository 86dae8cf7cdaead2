import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { profiles, sessions, sessionTokens, setupCodes, userRoles } from '#db/schema/people.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { DUMMY_HASH } from '#server/adapters/auth/passwords.ts';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock();
  server = await startTestServer(database, { clock });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

function withPassword(role = 'manager'): Promise<TestPerson> {
  return createPerson(server.services, { role, password: TEST_PASSWORD });
}

/** Signs in with plain fetch, to inspect status, headers and body. */
function postSignIn(
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/trpc/session.signIn`, {
    method: 'POST',
    headers: { ...headersFor(server.url), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
}

function cookieOf(response: Response): string {
  const [header] = response.headers.getSetCookie();
  const [pair] = (header ?? '').split(';');
  if (pair === undefined || !pair.includes('=')) throw new Error('no cookie was set');
  return pair;
}

async function storedSession(cookie: string) {
  const token = cookie.slice(cookie.indexOf('=') + 1);
  const [row] = await server.services.db
    .select({ session: sessions })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .where(eq(sessionTokens.hash, hashToken(token)));
  return row?.session;
}

describe('signing in', () => {
  test('sets persistent cookies that scripts cannot read, for session and device, and says who it is', async () => {
    const person = await withPassword();
    const response = await postSignIn(person.email.toUpperCase(), TEST_PASSWORD);
    expect(response.status).toBe(200);
    const [session, device, ...more] = response.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(session).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    expect(device).toMatch(/^device=[\w.-]{62}; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    const body: unknown = await response.json();
    expect(body).toMatchObject({
      result: { data: { me: { id: person.id, role: 'manager', buildings: [], setupMode: true } } },
    });
  });

  test('answers what the session is asked for next, with its place in the stream', async () => {
    const person = await withPassword();
    const response = await postSignIn(person.email, TEST_PASSWORD);
    const { result } = (await response.json()) as { result: { data: { me: unknown; linked: unknown } } };
    const { me, linked, ...position } = result.data;
    const client = createTestClient(server.url, cookieOf(response));
    expect(linked).toBeNull();
    // Signing in is an event itself, which either has a position by then, or is among the visible transactions.
    expect(Object.keys(position).sort()).toEqual(['asOf', 'digest', 'visible']);
    expect((await client.session.me.query()).data).toEqual(me);
  });

  test('keeps only the hash of the token', async () => {
    const person = await withPassword();
    const cookie = cookieOf(await postSignIn(person.email, TEST_PASSWORD));
    const token = cookie.slice('sid='.length);
    expect((await storedSession(cookie))?.userId).toBe(person.id);
    const dump = await server.services.db.execute(
      sql`select to_jsonb(s)::text || to_jsonb(t)::text as row from sessions s, session_tokens t`,
    );
    expect(JSON.stringify(dump)).not.toContain(token);
  });

  test('never takes over a token that was there before, and ends the session that was', async () => {
    const person = await withPassword();
    const planted = `sid=${'a'.repeat(43)}`;
    const first = cookieOf(await postSignIn(person.email, TEST_PASSWORD, { cookie: planted }));
    expect(first).not.toBe(planted);
    const second = cookieOf(await postSignIn(person.email, TEST_PASSWORD, { cookie: first }));
    expect(second).not.toBe(first);
    const refusal = await refusalOf(createTestClient(server.url, first).session.me.query());
    expect(refusal.code).toBe('unauthenticated');
    const me = await createTestClient(server.url, second).session.me.query();
    expect(me.data.id).toBe(person.id);
  });

  test('answers an unknown address, a wrong password and a deactivated account with the same bytes', async () => {
    const person = await withPassword();
    const gone = await createPerson(server.services, {
      role: 'admin',
      password: TEST_PASSWORD,
      deactivatedAt: clock.now().toISOString(),
    });
    const answers = await Promise.all([
      postSignIn('nobody-at-all@example.com', TEST_PASSWORD),
      postSignIn(person.email, 'not-the-password'),
      postSignIn(gone.email, TEST_PASSWORD),
    ]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain(messages.session.wrongCredentials);
    for (const answer of answers) expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('checks one hash of the same cost for every address', async () => {
    const { passwords } = server.services;
    const person = await withPassword();
    const gone = await createPerson(server.services, {
      role: 'admin',
      password: TEST_PASSWORD,
      deactivatedAt: clock.now().toISOString(),
    });
    const invited = await createPerson(server.services, { role: 'viewer' });
    const checks: number[] = [];
    const verify = passwords.verify;
    try {
      for (const email of ['nobody-either@example.com', person.email, gone.email, invited.email]) {
        let count = 0;
        passwords.verify = (password, stored) => {
          count += 1;
          return verify(password, stored);
        };
        expect((await postSignIn(email, 'not-the-password')).status).toBe(401);
        checks.push(count);
      }
    } finally {
      passwords.verify = verify;
    }
    expect(checks).toEqual([1, 1, 1, 1]);
    const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$');
    expect(costOf(DUMMY_HASH)).toBe(costOf(await passwords.hash('any password')));
  });

  test('tells a visitor from a signed-in person, without a refusal', async () => {
    const person = await withPassword();
    const cookie = cookieOf(await postSignIn(person.email, TEST_PASSWORD));
    expect(await createTestClient(server.url).session.active.query()).toEqual({ active: false });
    expect(await createTestClient(server.url, 'sid=stale').session.active.query()).toEqual({ active: false });
    expect(await createTestClient(server.url, cookie).session.active.query()).toEqual({ active: true });
  });

  test('tells administrators alone, while it is so, that plain http is let in', async () => {
    const admin = await withPassword('admin');
    const told = async (person: TestPerson, env: Partial<TestServer['services']['env']>) => {
      const open = await startTestServer(database, { env });
      const cookie = await signInAs(open, person);
      const { data } = await createTestClient(open.url, cookie).session.me.query();
      await open.stop();
      return data.insecureHttp;
    };
    expect(await told(admin, {})).toBe(false);
    expect(await told(admin, { allowInsecureHttp: true })).toBe(true);
    expect(await told(await withPassword(), { allowInsecureHttp: true })).toBe(false);
  });

  test('says at the field what is wrong with the form', async () => {
    const client = createTestClient(server.url);
    const refusal = await refusalOf(client.session.signIn.mutate({ email: 'no address', password: '12345' }));
    expect(refusal).toEqual({
      code: 'invalid',
      fields: { email: messages.session.emailInvalid, password: messages.session.passwordMinimum(6) },
    });
  });

  test('on https, the cookie is bound to the host and to https', async () => {
    const env = { publicUrl: 'https://lintel.example.com' };
    const secure = await startTestServer(database, { env });
    const person = await withPassword();
    const response = await fetch(`${secure.url}/trpc/session.signIn`, {
      method: 'POST',
      headers: { ...headersFor(env.publicUrl), 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: TEST_PASSWORD }),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=/,
    );
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await secure.stop();
  });
});

describe('a session', () => {
  test('survives a restart of the server', async () => {
    const cookie = await signInAs(server, await withPassword());
    const other = await startTestServer(database);
    const me = await createTestClient(other.url, cookie).session.me.query();
    expect(me.data.role).toBe('manager');
    await other.stop();
  });

  test('slides when it was not used for a quarter of an hour, and not before', async () => {
    const cookie = await signInAs(server, await withPassword());
    const client = createTestClient(server.url, cookie);
    const fresh = await storedSession(cookie);
    await client.session.me.query();
    expect((await storedSession(cookie))?.expiresAt).toBe(fresh?.expiresAt);

    await makeOld(cookie, { expiresIn: 5 * HOUR_MS, lastSeen: HOUR_MS / 4 + 1_000 });
    const me = await client.session.me.query();
    const slid = await storedSession(cookie);
    expect(Date.parse(slid?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 11 * HOUR_MS);
    expect(me.data.sessionExpiresAt).toBe(slid?.expiresAt);
  });

  test('is slid at once by touch', async () => {
    const cookie = await signInAs(server, await withPassword());
    await makeOld(cookie, { expiresIn: 11 * HOUR_MS });
    const touched = await createTestClient(server.url, cookie).session.touch.mutate({});
    expect(Date.parse(touched.sessionExpiresAt)).toBeGreaterThan(Date.now() + 11.9 * HOUR_MS);
  });

  test('never lives past its absolute end, however it is used', async () => {
    const cookie = await signInAs(server, await withPassword());
    await makeOld(cookie, { expiresIn: HOUR_MS, started: 7 * 24 * HOUR_MS - 2 * HOUR_MS });
    const client = createTestClient(server.url, cookie);
    const started = Date.parse((await storedSession(cookie))?.createdAt ?? '');
    const end = new Date(started + 7 * 24 * HOUR_MS).toISOString();
    expect((await client.session.touch.mutate({})).sessionExpiresAt).toBe(end);
    expect((await client.session.me.query()).data.sessionExpiresAt).toBe(end);
    await makeOld(cookie, { expiresIn: -1 });
    expect((await refusalOf(client.session.me.query())).code).toBe('unauthenticated');
    expect(await storedSession(cookie)).toBeUndefined();
  });

  test('lasts longer for an operative', async () => {
    const cookie = await signInAs(server, await withPassword('operative'));
    const row = await storedSession(cookie);
    expect(Date.parse(row?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 13 * 24 * HOUR_MS);
    await makeOld(cookie, { expiresIn: HOUR_MS, started: 59 * 24 * HOUR_MS });
    expect((await createTestClient(server.url, cookie).session.me.query()).data.role).toBe('operative');
  });

  test('ends with signing out, on the server too, and again is no error', async () => {
    const cookie = await signInAs(server, await withPassword());
    const client = createTestClient(server.url, cookie);
    await client.session.signOut.mutate({});
    expect(await storedSession(cookie)).toBeUndefined();
    expect((await refusalOf(client.session.me.query())).code).toBe('unauthenticated');
    await client.session.signOut.mutate({});
  });

  test('clears what the browser has cached when it ends, and nothing that a phone has saved', async () => {
    const answer = await fetch(`${server.url}/trpc/session.signOut`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-app': '1',
        origin: server.url,
        cookie: await signInAs(server, await withPassword()),
      },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
  });

  test('of a person who is deactivated opens nothing', async () => {
    const person = await withPassword();
    const cookie = await signInAs(server, person);
    await server.services.db
      .update(profiles)
      .set({ deactivatedAt: clock.now().toISOString() })
      .where(eq(profiles.id, person.id));
    const refusal = await refusalOf(createTestClient(server.url, cookie).session.me.query());
    expect(refusal.code).toBe('unauthenticated');
  });

  async function makeOld(
    cookie: string,
    { expiresIn, started, lastSeen }: { expiresIn: number; started?: number; lastSeen?: number },
  ) {
    const row = await storedSession(cookie);
    if (row === undefined) throw new Error('no such session');
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    await server.services.db
      .update(sessions)
      .set({
        expiresAt: at(expiresIn),
        ...(started === undefined ? {} : { createdAt: at(-started) }),
        ...(lastSeen === undefined ? {} : { lastSeenAt: at(-lastSeen) }),
      })
      .where(eq(sessions.id, row.id));
  }
});

describe('the first run', () => {
  const someone = { firstName: 'Ada', lastName: 'Bell', password: 'a-long-enough-phrase' };
  let empty: TestDatabase;
  let fresh: TestServer;

  beforeAll(async () => {
    empty = await createTestDatabase();
    fresh = await startTestServer(empty);
  });
  afterAll(async () => {
    await fresh.stop();
    await empty.drop();
  });

  test('makes the first person once, out of fifty that try at once, and then one administrator', async () => {
    const { services, url } = fresh;
    const visitor = createTestClient(url);
    expect(await visitor.session.setupState.query()).toEqual({ needed: true });
    const code = await makeSetupCode(services.db, new Date().toISOString());
    const stored = await services.db.select().from(setupCodes);
    expect(JSON.stringify(stored)).not.toContain(code);

    const wrong = await refusalOf(
      visitor.session.setup.mutate({ ...someone, start: 'empty', email: 'a@example.com', code: 'guess' }),
    );
    expect(wrong).toMatchObject({ code: 'forbidden', message: messages.session.setupCodeWrong });
    const weak = await refusalOf(
      visitor.session.setup.mutate({
        ...someone,
        start: 'empty',
        email: 'a@example.com',
        code,
        password: 'Password123!',
      }),
    );
    expect(weak).toEqual({ code: 'invalid', fields: { password: messages.session.passwordCommon } });

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        visitor.session.setup.mutate({
          ...someone,
          start: 'empty',
          email: `first${index}@example.com`,
          code,
        }),
      ),
    );
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ started: 'empty', me: { role: 'viewer', setupMode: true } });
    expect(await services.db.select().from(profiles)).toHaveLength(1);
    expect(await services.db.select().from(userRoles)).toEqual([]);
    expect(await visitor.session.setupState.query()).toEqual({ needed: false });

    const people = await Promise.all(
      Array.from({ length: 49 }, () => createPerson(services, { role: null })),
    );
    const [first] = await services.db.select().from(profiles).where(eq(profiles.firstName, 'Ada'));
    const claims = await Promise.allSettled(
      [...people, { id: first?.id ?? '', role: null }].map(async (person) => {
        const client = createTestClient(url, await signInAs(fresh, person));
        return client.users.setRole.mutate({
          operationId: uuidv7(),
          userId: person.id,
          role: 'admin',
          setupCode: code,
        });
      }),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const roles = await services.db.select({ role: userRoles.role }).from(userRoles);
    expect(roles).toEqual([{ role: 'admin' }]);
    expect(await services.db.select().from(setupCodes)).toEqual([]);
    // Fifty password hashes, four at a time.
  }, 90_000);
});
