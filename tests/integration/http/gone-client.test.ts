import { once } from 'node:events';
import { connect } from 'node:net';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { logLevel: 'info' } });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Sends a complete request, and closes the connection once the server is processing it. */
async function sendAndLeave(path: string, body: string, isBusy: () => Promise<boolean>): Promise<void> {
  const headers = {
    ...headersFor(server.url, cookie),
    host: new URL(server.url).host,
    'content-type': 'text/csv',
    'content-length': String(Buffer.byteLength(body)),
    'accept-encoding': 'gzip',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  await vi.waitFor(async () => expect(await isBusy()).toBe(true), PATIENCE);
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
}

describe('a client that leaves before its answer', () => {
  test('is logged as that, not as an error of the server', async () => {
    const owner = postgres(database.ownerUrl, { max: 1 });
    await owner.begin(async (tx) => {
      // The lock delays the answer until the client has gone.
      await tx`lock table clients in access exclusive mode`;
      await sendAndLeave(
        `/files/import/clients/run?operationId=${uuidv7()}`,
        'Client\nNorthgate',
        async () => (await tx.unsafe(LOCK_WAITS)).length > 0,
      );
    });
    await owner.end();
    await vi.waitFor(
      () => expect(server.logged.join('')).toContain('the client left before its answer'),
      PATIENCE,
    );
    expect(server.logged.join('')).not.toContain('unexpected error');
  });
});
