import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { fileLink } from '#server/features/files/files.queries.ts';
import { sweepFiles } from '#server/features/files/files.sweep.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { rawClient, type TestLayer, testLayer } from '#tests/support/uploads/uploads.ts';

/** More than the buffers between the file and a reader that has stopped. */
const BYTES = 24 * 1024 * 1024;

describe.each(['disk', 's3'] as const)('a file on %s', (fileStore) => {
  let database: TestDatabase;
  let dataDir: string;
  let s3: TestS3;
  let server: TestServer;
  let layer: TestLayer;
  let person: TestPerson;
  let cookie: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'lintel-in-use-'));
    s3 = await startTestS3();
    layer = testLayer();
    server = await startTestServer(database, { env: { dataDir, fileStore, s3: s3.settings }, files: layer });
    person = await createPerson(server.services, { role: 'admin' });
    cookie = await signInAs(server, person);
  });
  afterAll(async () => {
    await server.stop();
    await s3.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function stored(bytes: Buffer): Promise<string> {
    const id = uuidv7();
    const client = rawClient(server.url, cookie);
    const answer = await client.putRaw(await client.presign({ id, name: 'plan', bytes }), bytes);
    expect(answer.status).toBe(200);
    layer.names.set(id, 'plan');
    return id;
  }
  /** Begins a download, and reads nothing of it yet. */
  const download = (id: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const link = fileLink(server.services, { userId: person.id }, id, 'attachment');
      get(`${server.url}${link}`, { headers: headersFor(server.url, cookie) }, resolve).on('error', reject);
    });

  test('that is deleted during a download comes whole or is cut, and is never another one', async () => {
    const bytes = randomBytes(BYTES);
    const id = await stored(bytes);
    const answer = await download(id);
    expect(answer.statusCode).toBe(200);

    const { db, stores } = server.services;
    const removedAt = new Date(Date.now() - DAY_MS).toISOString();
    await db.update(storedFiles).set({ state: 'removed', removedAt }).where(eq(storedFiles.id, id));
    await sweepFiles(server.services, layer, new Date());
    expect(await stores[fileStore]?.storage.head(`test/${id}`)).toBeUndefined();
    await stored(randomBytes(BYTES));

    const pieces: Buffer[] = [];
    const isWhole = await (async () => {
      for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
      return answer.complete;
    })().catch(() => false);
    const read = Buffer.concat(pieces);
    expect(read.equals(bytes.subarray(0, read.byteLength))).toBe(true);
    expect(isWhole).toBe(read.byteLength === BYTES);
    expect((await download(id)).statusCode).toBe(404);
  });
});
