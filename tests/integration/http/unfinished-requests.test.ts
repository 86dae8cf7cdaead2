import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { diskPartialUploads } from '#server/adapters/storage/partial-uploads.ts';
import { TIME_LIMITS } from '#server/http/time-limits.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { announcement, picture } from '#tests/support/rows/photos.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// The test controls the clock of the server's limits, so that no request is late because the machine is slow.

let database: TestDatabase;
let server: TestServer;
let dataDir: string;
let cookie: string;
let buildingId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-slow-'));
  server = await startTestServer(database, { env: { dataDir } });
  ({ id: buildingId } = await createBuilding(server.services));
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Opens a connection and sends a partial request; `text` is the answer so far, `ended` whether the connection has
 * closed.
 */
function begin(text: string, { url } = server) {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  const state = { socket, text: '', ended: false };
  socket.on('data', (data) => {
    state.text += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    state.ended = true;
  });
  socket.write(text);
  return state;
}

function head(line: string, headers: Record<string, string>): string {
  const all = { host: new URL(server.url).host, ...headersFor(server.url, cookie), ...headers };
  return [line, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

/** For requests that begin from now on, time passes only by `bodyTimePasses`. */
const stopBodyTime = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const bodyTimePasses = () => vi.advanceTimersByTime(TIME_LIMITS.bodyMs);

describe('a request that does not come', () => {
  test('to the end of its headers is ended', async () => {
    // Node's own limit uses the machine's clock, so this server has short limits, and only refusals are expected from it.
    const timeLimits = { ...TIME_LIMITS, headersMs: 300, lookEveryMs: 50 };
    const hasty = await startTestServer(database, { timeLimits });
    const begun = Array.from({ length: 50 }, () => begin('GET /livez HTTP/1.1\r\nHost: x\r\nA: ', hasty));
    const silent = begin('', hasty);
    await expect.poll(() => [...begun, silent].every(({ ended }) => ended)).toBe(true);
    await hasty.stop();
  });

  test.each([
    ['a call', 'POST /trpc/session.touch HTTP/1.1', { 'content-type': 'application/json' }],
    ['a file', 'POST /files/import/clients/check HTTP/1.1', { 'content-type': 'text/csv' }],
    ['what is refused', 'POST /nowhere HTTP/1.1', { 'content-type': 'application/json' }],
  ])('to the end of its body is ended: %s', async (_what, line, headers) => {
    stopBodyTime();
    const one = begin(`${head(line, { ...headers, 'content-length': '100000' })}{`);
    await expect
      .poll(() => {
        bodyTimePasses();
        return one.ended;
      })
      .toBe(true);
  });

  test('is no photo that moves: it takes longer than any one time, and arrives', async () => {
    const client = createTestClient(server.url, cookie);
    const issueId = uuidv7();
    await client.issues.create.mutate({ operationId: uuidv7(), id: issueId, buildingId, title: 'A leak' });
    const bytes = picture(600_000);
    const photo = announcement(bytes, { issueId });
    await client.photos.announce.mutate(photo);
    const parts = diskPartialUploads(join(dataDir, 'uploads'));
    stopBodyTime();
    const one = begin(
      head(`PUT /files/photos/${photo.id} HTTP/1.1`, {
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.byteLength),
        'upload-offset': '0',
      }),
    );
    let sent = 0;
    // Slowly: each piece is sent only after the piece before has been written to disk, and the server has checked again.
    for (let looks = 0; looks < 8; looks += 1) {
      // The first piece may have arrived with the headers, and would not count.
      if (looks > 0) bodyTimePasses();
      for (const end = sent + 2 * 4_096; sent < end; sent += 4_096) {
        one.socket.write(bytes.subarray(sent, sent + 4_096));
        await expect.poll(() => parts.size(photo.id)).toBe(sent + 4_096);
      }
      expect(one.ended).toBe(false);
    }
    one.socket.write(bytes.subarray(sent));
    await expect.poll(() => one.text).toContain('"stored":true');
    one.socket.destroy();
  });
});

describe('an upload whose bytes come drop by drop', () => {
  test('is ended, keeps what has come, and goes on', async () => {
    const bytes = Buffer.from('x'.repeat(100_000));
    const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
    const address = await presignDocument(server.url, cookie, input, { name: 'Slow.txt', bytes });
    const parts = diskPartialUploads(join(dataDir, 'uploads'));
    stopBodyTime();
    const one = begin(
      head(`PUT ${address} HTTP/1.1`, {
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.byteLength),
        range: 'bytes=0-',
      }),
    );
    let sent = 0;
    // Byte by byte, each byte only after the byte before is stored: slower than any telephone line.
    for (; sent < 10; sent += 1) {
      one.socket.write('x');
      await expect.poll(() => parts.size(input.uploadId)).toBe(sent + 1);
    }
    expect(one.ended).toBe(false);
    bodyTimePasses();
    await expect.poll(() => one.ended).toBe(true);
    vi.useRealTimers();
    const client = rawClient(server.url, cookie);
    const kept = Number((await client.head(address)).headers.get('x-ut-range-start'));
    expect(kept).toBe(sent);
    const answer = await client.putRaw(address, bytes, kept);
    expect(await answer.json()).toMatchObject({ serverData: { documentId: input.uploadId } });
  });
});

describe('a live socket without a session', () => {
  const UPGRADE = (origin: string, host: string) =>
    `GET /trpc HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: ${origin}\r\n\r\n`;
  const stranger = () => begin(UPGRADE(server.url, new URL(server.url).host));

  test('is one of fifty at most, and gone after two seconds though it answers no closing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const all = Array.from({ length: 80 }, stranger);
    await expect.poll(() => all.every(({ text }) => text !== '')).toBe(true);
    expect(all.filter(({ text }) => text.startsWith('HTTP/1.1 101'))).toHaveLength(50);
    expect(all.filter(({ text }) => text.startsWith('HTTP/1.1 503'))).toHaveLength(30);
    vi.advanceTimersByTime(2_000);
    await expect.poll(() => all.every(({ ended }) => ended)).toBe(true);
    vi.useRealTimers();
    const after = stranger();
    await expect.poll(() => after.text).toContain('HTTP/1.1 101');
    after.socket.destroy();
  });
});

describe('an answer that is not read', () => {
  test('is ended, and one that is read slowly is not', async () => {
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'x');
    const id = uuidv7();
    const input = { uploadId: id, buildingId, place: GENERAL_PLACE, lastModified: 1 };
    const address = await presignDocument(server.url, cookie, input, { name: 'Large.txt', bytes });
    expect((await rawClient(server.url, cookie).putRaw(address, bytes)).status).toBe(200);
    const { url } = await createTestClient(server.url, cookie).documents.link.query({ id, as: 'download' });
    stopBodyTime();
    const get = () => {
      const one = begin(head(`GET ${url} HTTP/1.1`, {}));
      one.socket.pause();
      return one;
    };
    const [unread, slow] = [get(), get()];
    let read = 0;
    let enough = 0;
    slow.socket.on('data', (data) => {
      read += data.byteLength;
      if (read > enough) slow.socket.pause();
    });
    // Between two checks of the server it reads more than the buffers of the system take.
    for (let looks = 0; looks < 3; looks += 1) {
      enough += bytes.byteLength / 4;
      slow.socket.resume();
      await expect.poll(() => read).toBeGreaterThan(enough);
      vi.advanceTimersByTime(TIME_LIMITS.readMs);
    }
    expect(slow.ended).toBe(false);
    enough = Number.POSITIVE_INFINITY;
    slow.socket.resume();
    await expect.poll(() => read).toBeGreaterThan(bytes.byteLength);
    // A paused connection notices its end only when it writes.
    await expect
      .poll(() => {
        unread.socket.write('\r\n');
        return unread.ended;
      })
      .toBe(true);
    slow.socket.destroy();
  });
});
