import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { fileLink } from '#server/features/files/files.queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import {
  rawClient,
  sha256Of,
  type TestLayer,
  type TestUpload,
  testLayer,
} from '#tests/support/uploads/uploads.ts';

// The service that stores the files is unavailable for a time.

const MIB = 1024 * 1024;

let database: TestDatabase;
let s3: TestS3;
let proxy: TcpProxy;
let isAway = false;
let layer: TestLayer;
let server: TestServer;
let person: TestPerson;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  s3 = await startTestS3();
  const { port } = new URL(s3.settings.endpoint);
  proxy = await startTcpProxy(() => (isAway ? undefined : Number(port)));
  layer = testLayer();
  server = await startTestServer(database, {
    files: layer,
    env: { fileStore: 's3', s3: { ...s3.settings, endpoint: `http://127.0.0.1:${proxy.port}` } },
  });
  person = await createPerson(server.services, { role: 'admin' });
  cookie = await signInAs(server, person);
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await s3.stop();
  await database.drop();
});

function goAway(): void {
  isAway = true;
  proxy.cut();
}
async function announced(bytes: Buffer): Promise<{ upload: TestUpload; address: string }> {
  const upload = { id: uuidv7(), name: 'survey.bin', bytes };
  return { upload, address: await rawClient(server.url, cookie).presign(upload) };
}
async function rowOf(id: string) {
  const [row] = await server.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
  return row;
}

test('an upload in the middle of which S3 goes away keeps its parts, is told to wait, and goes on', async () => {
  const raw = rawClient(server.url, cookie);
  const { upload, address } = await announced(randomBytes(20 * MIB));
  const { bytes, id } = upload;
  expect((await raw.putRaw(address, bytes.subarray(0, 8 * MIB))).status).toBe(400);
  goAway();
  const refused = await raw.putRaw(address, bytes, 8 * MIB);
  expect([refused.status, (await refused.json()).error.data.app.code]).toEqual([503, 'busy']);
  expect(await rowOf(id)).toMatchObject({ state: 'reserved', sha256: null });
  expect(layer.stored).toEqual([]);
  isAway = false;
  const kept = Number((await raw.head(address)).headers.get('x-ut-range-start'));
  expect(kept).toBe(8 * MIB);
  expect((await raw.putRaw(address, bytes, kept)).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ state: 'stored', sha256: sha256Of(bytes), store: 's3' });
});

test('a small file is refused while S3 is away, and stored once afterwards', async () => {
  const raw = rawClient(server.url, cookie);
  goAway();
  const { upload, address } = await announced(Buffer.from('hello'));
  expect((await raw.putRaw(address, upload.bytes)).status).toBe(503);
  isAway = false;
  expect((await raw.putRaw(address, upload.bytes)).status).toBe(200);
  expect(layer.stored.filter((id) => id === upload.id)).toHaveLength(1);
});

test('a file that is read while S3 goes away is refused or cut, and whole afterwards', async () => {
  const raw = rawClient(server.url, cookie);
  const { upload, address } = await announced(randomBytes(12 * MIB));
  expect((await raw.putRaw(address, upload.bytes)).status).toBe(200);
  layer.names.set(upload.id, upload.name);
  const link = server.url + fileLink(server.services, { userId: person.id }, upload.id, 'attachment');
  const read = () => fetch(link, { headers: headersFor(server.url, cookie) });
  const begun = await read();
  expect(begun.headers.get('content-length')).toBe(String(upload.bytes.byteLength));
  goAway();
  await expect(begun.arrayBuffer()).rejects.toThrow();
  const refused = await read();
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([503, 'no-store']);
  isAway = false;
  expect(sha256Of(Buffer.from(await (await read()).arrayBuffer()))).toBe(sha256Of(upload.bytes));
});
