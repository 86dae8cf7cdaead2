import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a stop closes connections without a request at once, and answers the request that is arriving', async () => {
  const server = await startTestServer(database);
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  const head = (line: string, headers: Record<string, string> = {}) =>
    [
      line,
      ...Object.entries({
        host: new URL(server.url).host,
        ...headersFor(server.url, cookie),
        ...headers,
      }).map((pair) => pair.join(': ')),
      '\r\n',
    ].join('\r\n');

  // Browsers open connections that they may need later, and keep those that they have used.
  const spare = await open(server.url);
  const used = await open(server.url);
  used.write(head('GET /livez HTTP/1.1'));
  await once(used, 'data');
  const arriving = await open(server.url);
  arriving.write(
    head('POST /trpc/session.touch HTTP/1.1', {
      'content-type': 'application/json',
      'content-length': '2',
      expect: '100-continue',
    }),
  );
  expect(String((await once(arriving, 'data'))[0])).toMatch('100 Continue');

  const closed = Promise.all([spare, used].map((socket) => once(socket.resume(), 'close')));
  const stopped = server.stop();
  await closed;
  expect(arriving.readableEnded).toBe(false);
  const answer = text(arriving);
  arriving.write('{}');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
});
