import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { keysWithoutRow, rowsWithoutBytes, sweepFiles } from '#server/features/files/files.sweep.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { startChild } from '#tests/support/server/child.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import type {
  KillPoint,
  UploadServerHandlers,
  UploadServerInput,
} from '#tests/support/uploads/upload-server.ts';
import {
  rawClient,
  sha256Of,
  type TestLayer,
  type TestUpload,
  testLayer,
} from '#tests/support/uploads/uploads.ts';

const MIB = 1024 * 1024;
/** The same list as `KILL_POINTS` in the server, which is a process of its own. */
const POINTS: readonly KillPoint[] = [
  'reserved',
  'lease taken',
  'half of the bytes',
  'bytes kept',
  'in its place',
  'within the transaction',
  'committed',
];
const startVictim = () =>
  startChild<UploadServerHandlers>(new URL('../../support/uploads/upload-server.ts', import.meta.url));

describe.each(['disk', 's3'] as const)('a server that takes an upload to %s', (fileStore) => {
  let database: TestDatabase;
  let dataDir: string;
  let s3: TestS3;
  let layer: TestLayer;
  /** The process that continues the uploads. */
  let server: TestServer;
  let cookie: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'lintel-killed-'));
    s3 = await startTestS3();
    layer = testLayer();
    server = await startTestServer(database, { env: { dataDir, fileStore, s3: s3.settings }, files: layer });
    cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  });
  afterAll(async () => {
    await server.stop();
    await s3.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const input = (more: Partial<UploadServerInput> = {}): UploadServerInput => ({
    databaseUrl: database.appUrl,
    env: { dataDir, fileStore, s3: s3.settings },
    ...more,
  });

  /** Sends an upload to a server of its own, which is killed at this point. */
  async function brokenAt(killAt: KillPoint): Promise<TestUpload> {
    const upload: TestUpload = { id: uuidv7(), name: 'plan.bin', bytes: randomBytes(20 * MIB) };
    const victim = startVictim();
    const url = await victim.ask('listen', input({ killAt, half: 10 * MIB }));
    const broken = rawClient(url, cookie);
    const sending = broken.presign(upload).then((address) => broken.putRaw(address, upload.bytes));
    await expect(sending, killAt).rejects.toThrow();
    await victim.kill();
    return upload;
  }

  async function goOn(upload: TestUpload, killAt: KillPoint): Promise<void> {
    const { id, bytes } = upload;
    const client = rawClient(server.url, cookie);
    const address = await client.presign(upload);
    const kept = Number((await client.head(address)).headers.get('x-ut-range-start'));
    expect(kept, killAt).toBeLessThanOrEqual(bytes.byteLength);
    const answer = await client.putRaw(address, bytes, kept);
    expect(answer.status, killAt).toBe(200);
    expect(await answer.json(), killAt).toMatchObject({ serverData: { id } });
    const { db, stores } = server.services;
    const [row] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
    expect(row, killAt).toMatchObject({ state: 'stored', sha256: sha256Of(bytes) });
    const found = await stores[fileStore]?.storage.head(row?.key ?? '');
    expect(found, killAt).toEqual({ bytes: bytes.byteLength });
  }

  // All points at once: after each, the next writer waits until the lease of the killed one has run out.
  test('and is killed, at whatever point, leaves an upload that another process completes', async () => {
    const uploads = await Promise.all(POINTS.map(brokenAt));
    await Promise.all(uploads.map((upload, at) => goOn(upload, POINTS[at] ?? 'reserved')));

    const { db, stores } = server.services;
    await sweepFiles(server.services, layer, new Date(Date.now() + 8 * DAY_MS));
    for await (const lost of rowsWithoutBytes({ db, stores })) expect(lost).toBeUndefined();
    const store = stores[fileStore] ?? stores.disk;
    const soon = new Date(Date.now() + DAY_MS);
    for await (const unknown of keysWithoutRow({ db }, store, soon)) expect(unknown).toBeUndefined();
  });

  test('does not grow with its size', async () => {
    const child = startVictim();
    const url = await child.ask('listen', input());
    const client = rawClient(url, cookie);
    const small: TestUpload = { id: uuidv7(), name: 'small', bytes: randomBytes(MIB) };
    await client.put(await client.presign(small), small.bytes);
    const { now: idle } = await child.ask('memory', undefined);
    const size = 512 * MIB;
    const large = { id: uuidv7(), name: 'large', bytes: { byteLength: size } };
    // Only its length is presigned; the bytes are made as they are sent.
    const address = await client.presign(large as unknown as TestUpload);
    expect(await sendZeros(url, address, size)).toBe(200);
    const { most } = await child.ask('memory', undefined);
    await child.kill();
    expect((most - idle) / MIB).toBeLessThan(200);
  }, 300_000);

  function sendZeros(url: string, address: string, size: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...headersFor(url, cookie),
        range: 'bytes=0-',
        'content-type': 'application/octet-stream',
        'content-length': size,
      };
      const sent = request(`${url}${address}`, { method: 'PUT', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject);
      const piece = Buffer.alloc(MIB);
      let left = size;
      const more = () => {
        while (left > 0) {
          left -= piece.byteLength;
          if (!sent.write(piece)) {
            sent.once('drain', more);
            return;
          }
        }
        sent.end();
      };
      more();
    });
  }
});
