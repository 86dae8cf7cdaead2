import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptSpacings, attempts } from '#db/schema/people.ts';
import { resetPassword } from '#server/boot/operator.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const MINUTE_MS = 60_000;
const OFFICE = '203.0.113.7';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let person: TestPerson;
/** Delays imposed on sign-ins, ms. They are recorded, not waited for. */
let held: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock('2027-03-01T10:00:00.000Z');
  server = await start();
});
beforeEach(async () => {
  held = [];
  await server.services.db.delete(attempts);
  await server.services.db.delete(attemptSpacings);
  person = await newPerson();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function start(overrides: Parameters<typeof startTestServer>[1] = {}): Promise<TestServer> {
  // The tests act as the proxy and set the addresses of requests.
  const started = await startTestServer(database, {
    clock,
    env: { trustedProxies: ['loopback'] },
    ...overrides,
  });
  started.services.holds.wait = async (ms) => void held.push(ms);
  return started;
}

const newPerson = () => createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });

type From = { address?: string; device?: string | undefined; at?: TestServer };

function call(
  path: string,
  input: object,
  { address = OFFICE, device, at = server }: From,
): Promise<Response> {
  return fetch(`${at.url}/trpc/session.${path}`, {
    method: 'POST',
    headers: {
      ...headersFor(at.url, device),
      'content-type': 'application/json',
      'x-forwarded-for': address,
    },
    body: JSON.stringify(input),
  });
}
const signIn = (email: string, password: string, from: From = {}) =>
  call('signIn', { email, password }, from);

async function statusesOf(count: number, email: string, from: From = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await signIn(email, 'wrong-password', from)).status);
  return statuses;
}

/** Returns the device cookie set by an answer. */
function deviceOf(response: Response): string {
  const [pair] = response.headers.getSetCookie().flatMap((header) => /^device=[^;]+/.exec(header) ?? []);
  if (pair === undefined) throw new Error('no device cookie was set');
  return pair;
}

/** Simulates many failed attempts by others with this account and from this network. */
async function othersFailed({ address = OFFICE }: From = {}): Promise<void> {
  await statusesOf(6, person.email, { address });
  await server.services.db.execute(
    sql`update ${attempts} set count = 10000 where key like 'network:%' or key like 'account:%'`,
  );
  expect((await signIn(person.email, TEST_PASSWORD, { address })).status).toBe(429);
}

describe('others who fail', () => {
  test('keep no one out of an account from elsewhere: the right password is delayed, and accepted', async () => {
    const elsewhere = Array.from({ length: 4 }, (_, n) => `198.51.100.${n}`);
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(elsewhere.map((address) => signIn(person.email, 'wrong-password', { address })));
      statuses.push((await signIn(person.email, TEST_PASSWORD)).status);
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    expect(Math.max(...held)).toBeLessThanOrEqual(4_000);
  });

  test('with invented email addresses, keep no one in the same network out', async () => {
    await signIn('invented-0@example.com', 'wrong-password');
    const holds: (number | undefined)[] = [];
    for (const failures of [20, 40, 60, 10_000]) {
      await server.services.db.execute(
        sql`update ${attempts} set count = ${failures} where key = ${`network:${OFFICE}`}`,
      );
      held = [];
      expect((await signIn(person.email, TEST_PASSWORD)).status).toBe(200);
      holds.push(held[0]);
    }
    expect(holds[0]).toBe(0);
    expect(holds[1]).toBeGreaterThan(100);
    expect(holds[2]).toBeGreaterThan(holds[1] ?? 0);
    expect(holds[3]).toBe(4_000);
  });

  test('are counted by the /64 that they have', async () => {
    const from = (n: number) => ({ address: `2001:db8:1:2::${n}` });
    for (let n = 0; n < 6; n += 1) await signIn(person.email, 'wrong-password', from(n));
    expect((await signIn(person.email, 'wrong-password', from(99))).status).toBe(429);
    expect((await signIn(person.email, TEST_PASSWORD, { address: '2001:db8:1:3::1' })).status).toBe(200);
  });
});

describe('guessing at one account from one network', () => {
  test('is spaced after five failures, by half a minute at most, also for an unknown address', async () => {
    for (const email of [person.email, 'ghost@example.com']) {
      expect(await statusesOf(6, email)).toEqual([401, 401, 401, 401, 401, 401]);
      const waits: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        const refused = await signIn(email, 'wrong-password');
        expect(refused.status).toBe(429);
        waits.push(await secondsIn(refused));
        clock.advance((waits.at(-1) ?? 0) * 1_000);
        expect((await signIn(email, 'wrong-password')).status).toBe(401);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    }
  });

  test('all at once gets no more tries than one after the other', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signIn(person.email, 'wrong-password')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(24);
    expect((await signIn(person.email, 'wrong-password')).status).toBe(429);
  });

  test('counts failures only: signing in clears them', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await statusesOf(4, person.email)).toEqual([401, 401, 401, 401]);
      expect((await signIn(person.email, TEST_PASSWORD)).status).toBe(200);
    }
  });
});

describe('a device that the account was used on before', () => {
  let device: string;
  beforeEach(async () => {
    device = deviceOf(await signIn(person.email, TEST_PASSWORD));
  });

  test('gets in at once whatever others do, after signing out and at another process, too', async () => {
    const signedOut = await call('signOut', {}, { device });
    expect(signedOut.headers.getSetCookie().filter((header) => header.startsWith('device='))).toEqual([]);
    await othersFailed();
    const other = await start();
    held = [];
    for (const at of [server, other]) {
      expect((await signIn(person.email, TEST_PASSWORD, { device, at })).status).toBe(200);
    }
    expect(held).toEqual([]);
    await other.stop();
  });

  test('does not share the calls that others in its network use up', async () => {
    const small = await start({
      limits: { person: { burst: 100, perSecond: 1 }, anonymous: { burst: 3, perSecond: 0.001 } },
    });
    for (let n = 0; n < 3; n += 1) await signIn('invented@example.com', 'wrong-password', { at: small });
    expect((await signIn(person.email, TEST_PASSWORD, { at: small })).status).toBe(429);
    expect((await signIn(person.email, TEST_PASSWORD, { at: small, device })).status).toBe(200);
    await small.stop();
  });

  test('has a limit of its own, and then counts as an unknown device', async () => {
    expect(await statusesOf(10 + 6, person.email, { device })).toEqual(Array.from({ length: 16 }, () => 401));
    expect((await signIn(person.email, TEST_PASSWORD, { device })).status).toBe(429);
    clock.advance(15 * MINUTE_MS);
    expect((await signIn(person.email, TEST_PASSWORD, { device })).status).toBe(200);
  });

  test('is not known to another account, and its mark cannot be altered', async () => {
    await othersFailed();
    const foreign = deviceOf(
      await signIn((await newPerson()).email, TEST_PASSWORD, { address: '192.0.2.9' }),
    );
    const altered = device.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    for (const forged of [
      foreign,
      altered,
      'device=',
      `device=${'~'.repeat(3_000)}`,
      device.replace(/\./, ''),
    ]) {
      expect((await signIn(person.email, TEST_PASSWORD, { device: forged })).status).toBe(429);
    }
    expect((await signIn(person.email, TEST_PASSWORD, { device })).status).toBe(200);
  });

  test('knows several accounts', async () => {
    const colleague = await newPerson();
    const both = deviceOf(await signIn(colleague.email, TEST_PASSWORD, { device }));
    await othersFailed();
    expect((await signIn(person.email, TEST_PASSWORD, { device: both })).status).toBe(200);
    // One mark per account, however often it signs in.
    const again = deviceOf(await signIn(colleague.email, TEST_PASSWORD, { device: both }));
    expect(again.split('~')).toHaveLength(2);
  });

  test('is unknown again once the password is another one', async () => {
    await resetPassword(server.services, person.id, 'a-password-of-my-own');
    await othersFailed();
    expect((await signIn(person.email, 'a-password-of-my-own', { device })).status).toBe(429);
  });
});

async function secondsIn(response: Response): Promise<number> {
  const [, seconds] = /"retryAfterSeconds":(\d+)/.exec(await response.text()) ?? [];
  return Number(seconds);
}
