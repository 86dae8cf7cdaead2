import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The address of a request behind a proxy is determined the same way for HTTP and WebSocket.

let database: TestDatabase;
/** A server that trusts the test as a proxy. */
let server: TestServer;
/** A server that trusts no proxy. */
let bare: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { trustedProxies: ['loopback'] } });
  bare = await startTestServer(database);
});
afterAll(async () => {
  await server.stop();
  await bare.stop();
  await database.drop();
});

function signIn(email: string, password: string, headers: Record<string, string>, at = server) {
  return fetch(`${at.url}/trpc/session.signIn`, {
    method: 'POST',
    headers: { ...headersFor(at.url), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
}

/** Returns the address in the log line of a refused sign-in. */
async function loggedAddress(forwarded: string, at = server): Promise<unknown> {
  at.logged.length = 0;
  const response = await signIn('nobody@example.com', 'wrong-password', { 'x-forwarded-for': forwarded }, at);
  expect(response.status).toBe(401);
  const lines = at.logged.map((line) => JSON.parse(line) as { msg: string; address: string });
  return lines.find(({ msg }) => msg === 'a sign-in was refused')?.address;
}

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,127.0.0.2', '198.51.100.1'],
    // The address has a port, which differs for each connection.
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:DB8::7]:51234', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    // The proxy does not know the address.
    ['unknown', '127.0.0.1'],
    ['198.51.100.1, unknown', '127.0.0.1'],
    ['"><b>'.repeat(500), '127.0.0.1'],
  ])('that a proxy gives as %s', async (forwarded, address) => {
    expect(await loggedAddress(forwarded)).toBe(address);
  });

  test('that is given by a sender that is no proxy is not believed', async () => {
    expect(await loggedAddress('203.0.113.7', bare)).toBe('127.0.0.1');
  });
});

describe('sockets without a session', () => {
  const opened: WebSocket[] = [];
  afterAll(() => {
    for (const ws of opened) ws.terminate();
  });

  /**
   * Opens a socket.
   * @returns the status of the handshake; 101 when it is open
   */
  function open(forwarded: string, at: TestServer): Promise<number | undefined> {
    const ws = new WebSocket(`${at.url.replace('http', 'ws')}/trpc`, {
      headers: { origin: at.url, 'x-forwarded-for': forwarded },
    });
    opened.push(ws);
    return new Promise((resolve, reject) => {
      ws.once('open', () => resolve(101));
      ws.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      ws.once('error', reject);
    });
  }
  const openMany = (count: number, from: (n: number) => string, at = server) =>
    Promise.all(Array.from({ length: count }, (_, n) => open(from(n), at)));
  const places = (statuses: (number | undefined)[]) => statuses.filter((status) => status === 101).length;

  test('have fifty places for each network behind a proxy, and not for all of them together', async () => {
    expect(places(await openMany(60, () => '203.0.113.7'))).toBe(50);
    expect(places(await openMany(60, (n) => `198.51.100.${n}`))).toBe(60);
  });

  test('have fifty places for a sender that gives many addresses and is no proxy', async () => {
    expect(places(await openMany(60, (n) => `198.51.100.${n}`, bare))).toBe(50);
  });
});

test('of what a browser says of itself only so much is kept, in sessions and in notices', async () => {
  const person = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
  const cookies = [];
  for (const _ of [1, 2]) {
    const response = await signIn(person.email, TEST_PASSWORD, { 'user-agent': 'x'.repeat(8_000) });
    cookies.push(
      response.headers
        .getSetCookie()
        .map((header) => header.split(';')[0])
        .join('; '),
    );
  }
  for (const path of ['mySessions', 'myNotices']) {
    const response = await fetch(`${server.url}/trpc/users.${path}`, {
      headers: headersFor(server.url, cookies[0]),
    });
    const { result } = (await response.json()) as { result: { data: { data: { userAgent: string }[] } } };
    expect(result.data.data.length).toBeGreaterThan(0);
    for (const { userAgent } of result.data.data) expect(userAgent).toBe('x'.repeat(400));
  }
});
