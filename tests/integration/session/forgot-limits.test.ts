import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountLinks } from '#db/schema/accounts.ts';
import { attemptSpacings, attempts } from '#db/schema/people.ts';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// "Forgot password?" is open to all, so one person must not be able to use up another's limit or fill a mailbox.

const MINUTE_MS = 60_000;
const PUBLIC_URL = 'http://lintel.test';
const OFFICE = '203.0.113.7';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let mail: ReturnType<typeof memoryMail>;
let person: TestPerson;
/** Delays imposed on requests, ms. They are recorded, not waited for. */
let held: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock('2027-03-01T10:00:00.000Z');
  mail = memoryMail();
  // The tests act as the proxy and set the addresses of requests.
  const env = { trustedProxies: ['loopback'], publicUrl: PUBLIC_URL, allowInsecureHttp: true };
  server = await startTestServer(database, { clock, mail, env });
  server.services.holds.wait = async (ms) => void held.push(ms);
});
beforeEach(async () => {
  held = [];
  await server.services.db.delete(attempts);
  await server.services.db.delete(attemptSpacings);
  person = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type From = { address?: string; device?: string | undefined };

function call(path: string, input: object, { address = OFFICE, device }: From = {}): Promise<Response> {
  const headers = { ...headersFor(PUBLIC_URL, device), 'content-type': 'application/json' };
  return fetch(`${server.url}/trpc/session.${path}`, {
    method: 'POST',
    headers: { ...headers, 'x-forwarded-for': address },
    body: JSON.stringify(input),
  });
}
const forgot = (from?: From, email = person.email) => call('forgotPassword', { email }, from);

/** Signs in once and returns the device cookie of a known device. */
async function ownDevice(): Promise<string> {
  const answer = await call('signIn', { email: person.email, password: TEST_PASSWORD });
  const [pair] = answer.headers.getSetCookie().flatMap((header) => /^device=[^;]+/.exec(header) ?? []);
  if (pair === undefined) throw new Error('no device cookie was set');
  return pair;
}

const links = () =>
  mail.sent.filter(({ to, text }) => to === person.email && text.includes('/reset/')).length;
const sent = (count: number) => vi.waitFor(() => expect(links()).toBe(count), PATIENCE);

/**
 * Resolves when earlier requests have been processed. Processing follows the answer, so a later request for another
 * account serves as a marker: its mail arrives last.
 */
async function settled(): Promise<void> {
  const witness = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
  await forgot({ address: '192.0.2.99' }, witness.email);
  await vi.waitFor(() => expect(mail.sent.some(({ to }) => to === witness.email)).toBe(true), PATIENCE);
}

/** Requests a link to the account from this many networks, one after the other. */
async function othersAsk(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    expect((await forgot({ address: `198.51.100.${n}` })).status).toBe(200);
    await settled();
  }
}

describe('others who ask for links to an account', () => {
  test('get three an hour and then one in ten minutes, and are not told', async () => {
    await othersAsk(8);
    await sent(3);
    const { db } = server.services;
    const made = await db.select().from(accountLinks).where(eq(accountLinks.userId, person.id));
    expect(made).toHaveLength(3);
    clock.advance(10 * MINUTE_MS + 1);
    await othersAsk(3);
    await sent(4);
  });

  test('delay its owner by ten minutes at most; a valid link has been sent by then', async () => {
    await othersAsk(5);
    await forgot();
    await settled();
    expect(links()).toBe(3);
    clock.advance(10 * MINUTE_MS + 1);
    await forgot();
    await sent(4);
  });

  test('do not use up the limit of a device that the account was used on, which has three of its own', async () => {
    const device = await ownDevice();
    await othersAsk(4);
    expect(links()).toBe(3);
    for (const count of [4, 5, 6]) {
      await forgot({ device });
      await sent(count);
    }
    await forgot({ device });
    await settled();
    expect(links()).toBe(6);
  });
});

describe('others in the same network who ask for many links', () => {
  const usedUp = () => server.services.db.update(attempts).set({ count: 10_000 });

  test('cause no refusal: a request is delayed by four seconds at most, and that of a known device is not', async () => {
    const device = await ownDevice();
    await forgot({}, 'invented@example.com');
    await usedUp();
    held = [];
    expect((await forgot()).status).toBe(200);
    expect(held).toEqual([4_000]);
    await sent(1);
    held = [];
    expect((await forgot({ device })).status).toBe(200);
    expect(held).toEqual([]);
    await sent(2);
  });

  test('a device that asks too often itself is refused', async () => {
    const device = await ownDevice();
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      statuses.push((await forgot({ device }, `invented-${n}@example.com`)).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
  });
});
