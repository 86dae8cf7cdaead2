import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessions, sessionTokens, userRoles } from '#db/schema/people.ts';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { accountMessages } from '#shared/features/account-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestClient, headersFor, refusalOf } from '#tests/support/client.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/factories.ts';
import { openRaw } from '#tests/support/live-client.ts';
import { createLiveSetting, type LiveSetting, within } from '#tests/support/live-setting.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GOOD = 'a-password-of-my-own';
const SUBSCRIBE = { method: 'subscription', params: { path: 'live.stream', input: {} } };

let setting: LiveSetting;
let person: TestPerson;
let cookie: string;

beforeAll(async () => {
  setting = await createLiveSetting();
});
beforeEach(async () => {
  person = await createPerson(setting.server.services, { role: 'operative', password: TEST_PASSWORD });
  cookie = await signInAs(setting.server, person);
});
afterAll(() => setting.end());

const clientOf = (own: string) => createTestClient(setting.server.url, own);
const db = () => setting.server.services.db;

/** As a browser calls, to see the cookies of the answer. */
function call(path: string, own: string, input?: object): Promise<Response> {
  return fetch(`${setting.server.url}/trpc/${path}`, {
    headers: { ...headersFor(setting.server.url, own), 'content-type': 'application/json' },
    ...(input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) }),
  });
}

function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((header) => header.startsWith('sid='));
}

/** The session's cookie as it is after an answer. */
function cookieAfter(response: Response, before: string): string {
  const [header, ...more] = sessionCookies(response);
  expect(more).toEqual([]);
  return header?.split(';')[0] ?? before;
}

const tokenOf = (own: string) => own.slice('sid='.length);
const promote = (role: 'manager' | 'admin' | 'operative' = 'manager') =>
  setting.admin.client.users.setRole.mutate({ operationId: uuidv7(), userId: person.id, role });

/** As if the minute for calls that were under way had passed. */
async function minutePasses(own: string): Promise<void> {
  await db()
    .update(sessionTokens)
    .set({ goodUntil: new Date(Date.now() - 1).toISOString() })
    .where(eq(sessionTokens.hash, hashToken(tokenOf(own))));
}

async function storedToken(own: string) {
  const [row] = await db()
    .select()
    .from(sessionTokens)
    .where(eq(sessionTokens.hash, hashToken(tokenOf(own))));
  return row;
}

describe('another role', () => {
  test('replaces the token with the next call; the old one is good for a minute once the new one came back', async () => {
    expect(sessionCookies(await call('session.me', cookie))).toEqual([]);
    await promote();
    const next = cookieAfter(await call('session.me', cookie), cookie);
    expect(next).toMatch(/^sid=[\w-]{43}$/);
    expect(next).not.toBe(cookie);
    expect(await storedToken(cookie)).toMatchObject({ goodUntil: null });
    expect(sessionCookies(await call('session.me', next))).toEqual([]);
    const left = Date.parse((await storedToken(cookie))?.goodUntil ?? '') - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    // A call that was under way is answered, and told of no other token.
    const late = await call('session.me', cookie);
    expect(late.status).toBe(200);
    expect(sessionCookies(late)).toEqual([]);
    await minutePasses(cookie);
    expect((await refusalOf(clientOf(cookie).session.me.query())).code).toBe('unauthenticated');
    expect((await clientOf(next).session.me.query()).data.role).toBe('manager');
    expect((await clientOf(next).users.mySessions.query()).data).toHaveLength(1);
  });

  test('whose answer is lost signs nobody out: the old token brings the same new one until it comes back', async () => {
    await promote();
    const lost = cookieAfter(await call('session.me', cookie), cookie);
    const again = cookieAfter(await call('session.touch', cookie, {}), cookie);
    expect(again).toBe(lost);
    expect(await storedToken(cookie)).toMatchObject({ goodUntil: null });
    expect((await call('session.me', again)).status).toBe(200);
  });

  test('gives all calls of one moment, from every tab, one and the same new token', async () => {
    await promote();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('session.me', cookie)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    const tokens = new Set(answers.map((answer) => cookieAfter(answer, cookie)));
    expect(tokens.size).toBe(1);
    expect(tokens).not.toContain(cookie);
  });

  test('and then another one goes on from whichever token the client has', async () => {
    await promote('manager');
    const second = cookieAfter(await call('session.me', cookie), cookie);
    await promote('admin');
    const third = cookieAfter(await call('session.me', second), second);
    expect(third).not.toBe(second);
    expect((await call('session.me', third)).status).toBe(200);
    for (const earlier of [cookie, second]) expect((await call('session.me', earlier)).status).toBe(200);
  });

  test('keeps the database without anything that opens a session', async () => {
    await promote();
    const next = cookieAfter(await call('session.me', cookie), cookie);
    const rows = JSON.stringify([
      await db().select().from(sessionTokens),
      await db().select().from(sessions),
    ]);
    expect(rows).not.toContain(tokenOf(next));
    expect(rows).not.toContain(tokenOf(cookie));
  });

  test('with the call that signs out leaves no token behind', async () => {
    await promote();
    const [header, ...more] = sessionCookies(await call('session.signOut', cookie, {}));
    expect(more).toEqual([]);
    expect(header).toMatch(/^sid=; .*Max-Age=0/);
    expect(await storedToken(cookie)).toBeUndefined();
  });

  test('reckons both ends from the start of the session, whatever way the role came', async () => {
    const { id, lastSeenAt } = await storedSession();
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    await db()
      .update(sessions)
      .set({ createdAt: ago(6 * DAY_MS) })
      .where(eq(sessions.id, id));
    // Not by a command of ours.
    await db()
      .insert(userRoles)
      .values({ userId: person.id, role: 'manager', assignedAt: new Date().toISOString() });
    const answer = await call('session.me', cookie);
    expect(sessionCookies(answer)[0]).toContain(
      `Expires=${new Date(Date.parse((await storedSession()).createdAt) + 7 * DAY_MS).toUTCString()}`,
    );
    const me = await clientOf(cookie).session.me.query();
    const idleEnd = Date.parse(lastSeenAt) + 12 * HOUR_MS;
    expect(Date.parse(me.data.sessionExpiresAt)).toBeLessThanOrEqual(idleEnd + 60_000);

    await db()
      .update(sessions)
      .set({ createdAt: ago(8 * DAY_MS) })
      .where(eq(sessions.id, id));
    expect((await refusalOf(clientOf(cookie).session.me.query())).code).toBe('unauthenticated');
  });

  test('ends a session that was not used for longer than it allows, also for an open window', async () => {
    const { id } = await storedSession();
    const stream = await setting.followed(cookie);
    const lastSeenAt = new Date(Date.now() - 13 * HOUR_MS).toISOString();
    await db().update(sessions).set({ lastSeenAt }).where(eq(sessions.id, id));
    await promote();
    expect(Date.parse((await storedSession()).expiresAt)).toBeLessThan(Date.now());
    expect((await refusalOf(clientOf(cookie).session.me.query())).code).toBe('unauthenticated');
    await stream.close();
  });

  test('leaves open windows as they are: their socket goes on and may subscribe again', async () => {
    const { ws, messages, closed } = await openRaw(setting.server.url, cookie);
    let closedWith: number | undefined;
    void closed.then((code) => (closedWith = code));
    const started = (id: number) =>
      expect
        .poll(() => JSON.stringify(messages), within)
        .toContain(`{"id":${id},"jsonrpc":"2.0","result":{"type":"started"}}`);
    ws.send(JSON.stringify({ id: 1, ...SUBSCRIBE }));
    await started(1);
    await promote();
    const next = cookieAfter(await call('session.me', cookie), cookie);
    await call('session.me', next);
    await minutePasses(cookie);
    ws.send(JSON.stringify({ id: 1, method: 'subscription.stop' }));
    ws.send(JSON.stringify({ id: 2, ...SUBSCRIBE }));
    await started(2);
    expect(closedWith).toBeUndefined();
    ws.close();
  });
});

describe('another password of one’s own', () => {
  const change = (own: string, current: string, password = GOOD) =>
    call('session.changePassword', own, { current, password });

  test('brings a new token in the same answer; the old one ends when it comes back, other sessions at once', async () => {
    const elsewhere = await signInAs(setting.server, person);
    const stream = await setting.followed(cookie);
    const next = cookieAfter(await change(cookie, TEST_PASSWORD), cookie);
    expect(next).not.toBe(cookie);
    expect((await refusalOf(clientOf(elsewhere).session.me.query())).code).toBe('unauthenticated');
    expect((await clientOf(next).session.me.query()).data.id).toBe(person.id);
    expect((await refusalOf(clientOf(cookie).session.me.query())).code).toBe('unauthenticated');
    expect(stream.closes).toEqual([]);
    await stream.close();
  });

  test('leaves the old token a minute at most, which brings no other one', async () => {
    const next = cookieAfter(await change(cookie, TEST_PASSWORD), cookie);
    const under = await call('session.me', cookie);
    expect(under.status).toBe(200);
    expect(sessionCookies(under)).toEqual([]);
    await promote();
    expect(sessionCookies(await call('session.me', cookie))).toEqual([]);
    await minutePasses(cookie);
    expect((await call('session.me', cookie)).status).toBe(401);
    expect((await call('session.me', next)).status).toBe(200);
  });

  test('whose answer is lost can be sent again', async () => {
    await change(cookie, TEST_PASSWORD);
    const again = await change(cookie, TEST_PASSWORD);
    expect(again.status).toBe(200);
    const next = cookieAfter(again, cookie);
    expect((await call('session.me', next)).status).toBe(200);
    expect((await call('session.me', cookie)).status).toBe(401);
    const wrong = clientOf(next).session.changePassword.mutate({
      current: 'not-it-at-all',
      password: 'something-else',
    });
    expect(await refusalOf(wrong)).toMatchObject({ fields: { current: accountMessages.currentWrong } });
  });

  test('and another role at the same moment leave the newest token alone in the cookie', async () => {
    await promote();
    const next = cookieAfter(await change(cookie, TEST_PASSWORD), cookie);
    expect((await call('session.me', next)).status).toBe(200);
    expect((await call('session.me', cookie)).status).toBe(401);
  });
});

async function storedSession() {
  const [row] = await db().select().from(sessions).where(eq(sessions.userId, person.id));
  if (row === undefined) throw new Error('no session');
  return row;
}
