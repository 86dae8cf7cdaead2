import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessions, sessionTokens, userRoles } from '#db/schema/people.ts';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { templateOf } from '#shared/features/imports/imports.vocabulary.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { openRaw } from '#tests/support/live/live-client.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf } from '#tests/support/server/client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GOOD = 'a-password-of-my-own';
const SUBSCRIBE = { method: 'subscription', params: { path: 'live.stream', input: {} } };

let setting: LiveSetting;
let person: TestPerson;
let cookie: string;
/** How far the stream's monotonic clock is ahead, ms. */
let aheadMs = 0;

beforeAll(async () => {
  setting = await createLiveSetting({ liveParts: { monotonicMs: () => performance.now() + aheadMs } });
});
beforeEach(async () => {
  person = await createPerson(setting.server.services, { role: 'operative', password: TEST_PASSWORD });
  cookie = await signInAs(setting.server, person);
});
afterAll(() => setting.end());

const clientOf = (own: string) => createTestClient(setting.server.url, own);
const db = () => setting.server.services.db;

/** Calls a procedure as a browser does, to inspect the cookies of the answer. */
function call(path: string, own: string, input?: object): Promise<Response> {
  return fetch(`${setting.server.url}/trpc/${path}`, {
    headers: { ...headersFor(setting.server.url, own), 'content-type': 'application/json' },
    ...(input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) }),
  });
}

function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((header) => header.startsWith('sid='));
}

/** Returns the session cookie after an answer. */
function cookieAfter(response: Response, before: string): string {
  const [header, ...more] = sessionCookies(response);
  expect(more).toEqual([]);
  return header?.split(';')[0] ?? before;
}

const tokenOf = (own: string) => own.slice('sid='.length);
const promote = (role: 'manager' | 'admin' | 'operative' = 'manager') =>
  setting.admin.client.users.setRole.mutate({ operationId: uuidv7(), userId: person.id, role });

/** Expires the minute during which a replaced token stays valid for calls in progress. */
async function minutePasses(own: string): Promise<void> {
  await db()
    .update(sessionTokens)
    .set({ goodUntil: new Date(Date.now() - 1_000).toISOString() })
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
    // A call in progress is answered without another token.
    const late = await call('session.me', cookie);
    expect(late.status).toBe(200);
    expect(sessionCookies(late)).toEqual([]);
    expect((await clientOf(next).session.me.query()).data.role).toBe('manager');
    expect((await clientOf(next).users.mySessions.query()).data).toHaveLength(1);
    await minutePasses(cookie);
    expect((await refusalOf(clientOf(cookie).session.me.query())).code).toBe('unauthenticated');
  });

  test('whose answer is lost ends no session: the old token brings the same new one until it comes back', async () => {
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

  test('followed by another one continues from either token of the client', async () => {
    await promote('manager');
    const second = cookieAfter(await call('session.me', cookie), cookie);
    await promote('admin');
    const third = cookieAfter(await call('session.me', second), second);
    expect(third).not.toBe(second);
    expect((await call('session.me', third)).status).toBe(200);
    for (const earlier of [cookie, second]) expect((await call('session.me', earlier)).status).toBe(200);
  });

  test('twice in a moment, with calls of several tabs under way, leaves the newest token good', async () => {
    const good: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await promote(round % 2 === 0 ? 'manager' : 'operative');
      const second = cookieAfter(await call('session.me', cookie), cookie);
      await promote(round % 2 === 0 ? 'admin' : 'manager');
      // Each of these calls is the first with this token, and is given the next one.
      const answers = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          // Staggered, so that some tokens are looked up while others are being replaced.
          for (let turn = 0; turn < n; turn += 1) await db().execute('select 1');
          return call('session.me', second);
        }),
      );
      const third = new Set(answers.map((answer) => cookieAfter(answer, second)));
      third.delete(second);
      expect(third.size).toBe(1);
      [cookie = ''] = third;
      good.push((await call('session.me', cookie)).status);
    }
    expect(good).toEqual(Array.from({ length: 8 }, () => 200));
  });

  test('stores nothing in the database that opens a session', async () => {
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
    // Changed directly in the database rather than by a command.
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
        .poll(() => JSON.stringify(messages))
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

describe('a replaced token that comes back after its minute', () => {
  /** Returns the successor token after it has been used and the minute of the old token is over. */
  async function replaced(): Promise<string> {
    await promote();
    const next = cookieAfter(await call('session.me', cookie), cookie);
    await call('session.me', next);
    await minutePasses(cookie);
    return next;
  }
  const endings = () =>
    setting.owner.sql`
      select 1 from events 
      where entity_id = ${person.id} and command = 'session.endReplayed' and op = 'sessions_ended'`;

  test('ends the session for both who have one of its tokens, with its streams, and leaves one trace', async () => {
    const next = await replaced();
    const elsewhere = await signInAs(setting.server, person);
    const stream = await setting.followed(next);
    // Also when expired rows have been swept in the meantime.
    await setting.server.services.sessions.sweep();
    const logged = setting.server.logged.length;
    const replays = await Promise.all(Array.from({ length: 8 }, () => call('session.me', cookie)));
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([401]));
    await expect.poll(() => stream.closes).toContain(4401);
    expect((await call('session.me', next)).status).toBe(401);
    expect((await call('session.me', elsewhere)).status).toBe(200);
    await expect.poll(async () => (await endings()).length).toBe(1);
    expect(
      setting.server.logged.slice(logged).filter((line) => line.includes('replaced session token was used')),
    ).toHaveLength(1);
    await stream.close();
  });

  test('ends none where a change of password replaced it, which gave it no successor', async () => {
    const changed = await call('session.changePassword', cookie, { current: TEST_PASSWORD, password: GOOD });
    const next = cookieAfter(changed, cookie);
    await minutePasses(cookie);
    expect((await call('session.me', cookie)).status).toBe(401);
    expect((await call('session.me', next)).status).toBe(200);
    await setting.newest();
    expect(await endings()).toHaveLength(0);
  });
});

test('the minute of a replaced token is the database’s, whatever the clock of a server process', async () => {
  await promote();
  const next = cookieAfter(await call('session.me', cookie), cookie);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
  try {
    await call('session.me', next);
    expect((await call('session.me', cookie)).status).toBe(200);
    vi.setSystemTime(Date.now() - 10 * 60_000);
    expect((await call('session.me', cookie)).status).toBe(200);
    const left = Date.parse((await storedToken(cookie))?.goodUntil ?? '');
    vi.useRealTimers();
    expect(Math.abs(left - Date.now() - 60_000)).toBeLessThan(10_000);
  } finally {
    vi.useRealTimers();
  }
});

test('an upload that outlasts its replaced token is accepted', async () => {
  const admin = await createPerson(setting.server.services, { role: 'manager', password: TEST_PASSWORD });
  const before = await signInAs(setting.server, admin);
  await setting.admin.client.users.setRole.mutate({
    operationId: uuidv7(),
    userId: admin.id,
    role: 'admin',
  });
  const answered = cookieAfter(await call('session.me', before), before);
  let open: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      open = controller;
      controller.enqueue(new TextEncoder().encode(templateOf('people')));
    },
  });
  const sent = fetch(`${setting.server.url}/files/import/people/check`, {
    method: 'POST',
    headers: { ...headersFor(setting.server.url, before), 'content-type': 'text/csv' },
    body,
    duplex: 'half',
  } as RequestInit);
  const seen = async () => {
    const [row] = await setting.owner.sql`
      select 1 from session_tokens where hash = ${hashToken(tokenOf(before))} and used`;
    return row !== undefined;
  };
  // The server has looked up the token once it has received the headers.
  await expect.poll(seen).toBe(true);
  await call('session.me', answered);
  await minutePasses(before);
  open?.close();
  expect((await sent).status).toBe(200);
  expect((await call('session.me', answered)).status).toBe(200);
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

  test('sent twice, one after the other or at once, is one change', async () => {
    const changes = async () =>
      (
        await setting.owner.sql`
          select 1 from events
          where entity_id = ${person.id} and command = 'session.changePassword' and op = 'put'`
      ).length;
    const both = await Promise.all([change(cookie, TEST_PASSWORD), change(cookie, TEST_PASSWORD)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    // The person has since signed in with the new password: a late repetition does not end that session.
    const since = await signInAs(setting.server, person);
    const late = await change(cookie, TEST_PASSWORD);
    expect((await call('session.me', cookieAfter(late, cookie))).status).toBe(200);
    expect((await clientOf(since).users.myNotices.query()).data).toHaveLength(1);
    await expect.poll(changes).toBe(1);
  });

  test('ends the sockets that the old token opened: only who has the new one comes back', async () => {
    const thief = await openRaw(setting.server.url, cookie);
    const next = cookieAfter(await change(cookie, TEST_PASSWORD), cookie);
    const owner = await openRaw(setting.server.url, next);
    let ownerClosed: number | undefined;
    void owner.closed.then((code) => (ownerClosed = code));
    // Sessions of open sockets are checked every 30 s.
    aheadMs += 31_000;
    expect(await thief.closed).toBe(1012);
    await minutePasses(cookie);
    const again = await openRaw(setting.server.url, cookie);
    again.ws.send(JSON.stringify({ id: 1, ...SUBSCRIBE }));
    expect(await again.closed).toBe(4401);
    expect(ownerClosed).toBeUndefined();
    owner.ws.close();
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

test('a machine whose clock is ten days ahead for a moment signs nobody out, and keeps no session for longer', async () => {
  // A manager, because sessions of people at a desk end after half a day without use.
  person = await createPerson(setting.server.services, { role: 'manager' });
  cookie = await signInAs(setting.server, person);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * DAY_MS });
  try {
    expect((await call('session.me', cookie)).status).toBe(200);
    const begun = await signInAs(setting.server, person);
    expect((await call('session.me', begun)).status).toBe(200);
    vi.useRealTimers();
    expect((await call('session.me', cookie)).status).toBe(200);
    const [latest] = await db()
      .select()
      .from(sessions)
      .where(eq(sessions.userId, person.id))
      .orderBy(desc(sessions.createdAt))
      .limit(1);
    expect(Date.parse(latest?.createdAt ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
  } finally {
    vi.useRealTimers();
  }
});
