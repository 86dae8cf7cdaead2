import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { events } from '#db/schema/live.ts';
import { profiles, sessions } from '#db/schema/people.ts';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { noticeText } from '#shared/features/users/notice-text.ts';
import { openStream } from '#tests/support/live/live-client.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The traces of an accepted or refused sign-in: a line in the log, a notice to the person, and the end of the oldest
// session.

const OFFICE = '203.0.113.7';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const PUBLIC_URL = 'http://lintel.test';

let database: TestDatabase;
let server: TestServer;
let person: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { trustedProxies: ['loopback'] } });
});
beforeEach(async () => {
  const values = { role: 'manager', password: TEST_PASSWORD } as const;
  person = await createPerson(server.services, { ...values, firstName: 'Max', lastName: 'Manager' });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Calls a procedure as a browser at the office does. */
function call(path: string, input: object, cookie?: string, at = server): Promise<Response> {
  return fetch(`${at.url}/trpc/session.${path}`, {
    method: 'POST',
    headers: {
      ...headersFor(at.services.env.publicUrl ?? at.url, cookie),
      'content-type': 'application/json',
      'user-agent': CHROME,
      'x-forwarded-for': OFFICE,
    },
    body: JSON.stringify(input),
  });
}

/**
 * Signs in.
 * @returns the session and device cookies
 */
async function signIn(password = TEST_PASSWORD, cookie?: string, at = server): Promise<string> {
  const response = await call('signIn', { email: person.email, password }, cookie, at);
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
}

const clientOf = (cookie: string): TestClient => createTestClient(server.url, cookie);
const deviceOf = (cookies: string) => cookies.split('; ').find((pair) => pair.includes('device=')) ?? '';

async function told(): Promise<string[]> {
  const { data } = await clientOf(await signInAs(server, person)).users.myNotices.query();
  return data.map(noticeText);
}

describe('a sign-in that is refused', () => {
  type Line = { level: number; msg: string; address?: string; account?: string; code?: string };
  const refused = (): Line[] =>
    server.logged
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg === 'a sign-in was refused');

  test('is logged with the address, and without what was typed', async () => {
    server.logged.length = 0;
    expect((await call('signIn', { email: person.email, password: 'not-the-right-one' })).status).toBe(401);
    expect(
      (await call('signIn', { email: 'nobody@example.com', password: 'not-the-right-one' })).status,
    ).toBe(401);
    await server.services.db
      .update(profiles)
      .set({ deactivatedAt: new Date().toISOString() })
      .where(eq(profiles.id, person.id));
    expect((await call('signIn', { email: person.email, password: TEST_PASSWORD })).status).toBe(401);
    const lines = refused();
    expect(lines).toMatchObject(
      Array.from({ length: 3 }, () => ({ level: 40, address: OFFICE, code: 'unauthenticated' })),
    );
    expect(lines[0]?.account).toMatch(/^[\w-]{22}$/);
    expect(lines[1]?.account).not.toBe(lines[0]?.account);
    expect(lines[2]?.account).toBe(lines[0]?.account);
    const all = server.logged.join('');
    for (const secret of [
      person.email,
      person.id,
      'nobody@example.com',
      'not-the-right-one',
      TEST_PASSWORD,
    ]) {
      expect(all).not.toContain(secret);
    }
  });

  test('for too many tries is logged as that, and one that succeeds is not', async () => {
    server.logged.length = 0;
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      statuses.push((await call('signIn', { email: person.email, password: 'not-the-right-one' })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(refused().at(-1)).toMatchObject({ address: OFFICE, code: 'rate_limited' });
    expect(refused()).toHaveLength(8);
    const other = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    expect((await call('signIn', { email: other.email, password: TEST_PASSWORD })).status).toBe(200);
    expect(refused()).toHaveLength(8);
  });
});

describe('a device that the account was not used on before', () => {
  const SENTENCE = `A new device signed in to your account from ${OFFICE} (Chrome on Windows).`;

  test('is told to the person on their other devices and by mail, but not at the very first sign-in', async () => {
    const mail = memoryMail();
    const env = { publicUrl: PUBLIC_URL, allowInsecureHttp: true, trustedProxies: ['loopback'] };
    const mailing = await startTestServer(database, { mail, env });
    const first = await signIn(TEST_PASSWORD, undefined, mailing);
    expect(await told()).toEqual([]);
    const second = await signIn(TEST_PASSWORD, undefined, mailing);
    await mailing.stop();
    expect(await told()).toEqual([SENTENCE]);
    // The new session itself is not shown the notice about it.
    expect((await clientOf(second).users.myNotices.query()).data).toEqual([]);
    expect((await clientOf(first).users.myNotices.query()).data.map(noticeText)).toEqual([SENTENCE]);
    const letters = mail.sent.filter(({ to }) => to === person.email);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.subject).toBe('A new device signed in to Lintel');
    expect(letters[0]?.text).toContain(SENTENCE);
  });

  test('is told five times in an hour, so that a program which tries many is no flood of mail', async () => {
    const mail = memoryMail();
    const clock = testClock('2026-11-18T10:00:00.000Z');
    const env = { publicUrl: PUBLIC_URL, allowInsecureHttp: true, trustedProxies: ['loopback'] };
    const mailing = await startTestServer(database, { mail, clock, env });
    const letters = () => mail.sent.filter(({ to }) => to === person.email).length;
    for (let n = 0; n < 9; n += 1) await signIn(TEST_PASSWORD, undefined, mailing);
    expect(await told()).toEqual(Array.from({ length: 5 }, () => SENTENCE));
    // The mail is sent after the answer.
    await expect.poll(letters).toBe(5);
    clock.advance(HOUR_MS);
    await signIn(TEST_PASSWORD, undefined, mailing);
    await expect.poll(letters).toBe(6);
    await mailing.stop();
    expect(letters()).toBe(6);
  });

  test('is known from then on, also once it was signed out', async () => {
    const first = await signIn();
    await clientOf(first).session.signOut.mutate({});
    await signIn(TEST_PASSWORD, deviceOf(first));
    expect(await told()).toEqual([]);
    // No session is left, but the event log shows that the account was used.
    const { db } = server.services;
    const recorded = () => db.$count(events, and(eq(events.actor, person.id), eq(events.entity, 'signIn')));
    await expect.poll(recorded).toBeGreaterThan(0);
    await db.delete(sessions).where(eq(sessions.userId, person.id));
    await signIn();
    expect(await told()).toEqual([SENTENCE]);
  });

  test('is any other one after the password was changed', async () => {
    const here = await signIn();
    const there = await signIn(TEST_PASSWORD, deviceOf(here));
    const change = { current: TEST_PASSWORD, password: 'a-password-of-my-own' };
    expect((await call('changePassword', change, here)).status).toBe(200);
    await signIn('a-password-of-my-own', deviceOf(there));
    expect(await told()).toContain(SENTENCE);
  });
});

test('of 21 sessions the one that was not used for longest ends, and its windows hear of it', async () => {
  const cookies = await Promise.all(Array.from({ length: 20 }, () => signInAs(server, person)));
  const { db } = server.services;
  const held = () => db.select().from(sessions).where(eq(sessions.userId, person.id));
  const ids = await Promise.all(
    cookies.map(
      async (cookie) => (await clientOf(cookie).users.mySessions.query()).data.find((s) => s.current)?.id,
    ),
  );
  const [used, idle] = ids;
  const stream = openStream(server.url, cookies[1]);
  await expect.poll(() => stream.frames.length).toBeGreaterThan(0);
  // The oldest session was just used; the next one was last used hours ago.
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  await db
    .update(sessions)
    .set({ createdAt: at(5) })
    .where(eq(sessions.id, used ?? ''));
  await db
    .update(sessions)
    .set({ createdAt: at(4), lastSeenAt: at(3) })
    .where(eq(sessions.id, idle ?? ''));
  const own = await signIn();
  await expect.poll(() => stream.closes).toEqual([4401]);
  await stream.close();
  const left = (await held()).map(({ id }) => id);
  expect(left).toHaveLength(20);
  expect(left).not.toContain(idle);
  expect(left).toContain(used);
  expect((await clientOf(own).session.me.query()).data.id).toBe(person.id);
  // Concurrent sign-ins keep the limit of twenty.
  await Promise.all(Array.from({ length: 4 }, () => signIn()));
  expect(await held()).toHaveLength(20);
});
