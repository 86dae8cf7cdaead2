import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder, GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { unzip } from '#tests/support/uploads/unzip.ts';
import { rawClient } from '#tests/support/uploads/uploads.ts';

// A document's bytes as a browser handles them: announced, sent, downloaded by a link, and included in an archive.

const FLOOR = 1_000;
const PLENTY = 1_000_000_000;
let free = PLENTY;
let dataDir: string;
let database: TestDatabase;
let server: TestServer;
let cookie: string;
let client: TestClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-documents-'));
  database = await createTestDatabase();
  const diskSpace = { floor: FLOOR, freeBytes: async () => free };
  server = await startTestServer(database, { env: { dataDir }, diskSpace });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
});
afterEach(() => {
  free = PLENTY;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function announce(as: string, input: object, { name, size }: { name: string; size: number }) {
  return fetch(`${server.url}/api/uploadthing?actionType=upload&slug=document`, {
    method: 'POST',
    headers: {
      ...headersFor(server.url, as),
      'x-uploadthing-package': 'test',
      'x-uploadthing-version': '7.7.4',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ files: [{ name, size, type: 'text/plain', lastModified: 1 }], input }),
  });
}

test('a document is announced, sent, read by a link and taken along in an archive', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId, name: 'Plans' });
  const bytes = Buffer.from('The fire doors of the third floor');
  const input = { uploadId: uuidv7(), buildingId, place: { at: 'folder', folderId }, lastModified: 1 };
  const announced = await announce(cookie, input, { name: 'Doors.txt', size: bytes.byteLength });
  expect(announced.status).toBe(200);
  const [{ url = '' } = {}] = (await announced.json()) as { url?: string }[];
  const stored = await rawClient(server.url, cookie).put(url, bytes);
  expect(await stored.json()).toMatchObject({
    serverData: { documentId: input.uploadId, fileName: 'Doors.txt', number: 1 },
  });

  const { url: link, expiresAt } = await client.documents.link.query({ id: input.uploadId, as: 'preview' });
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  const read = await fetch(`${server.url}${link}`, { headers: { cookie } });
  expect(await read.text()).toBe(bytes.toString());
  const { data } = await client.documents.byId.query({ id: input.uploadId });
  expect(data.lastViewed?.byName).toMatch(/^Test Person/);

  const archive = await client.documents.archiveLink.query({ ids: [folderId] });
  const zip = await fetch(`${server.url}${archive.url}`, { headers: { cookie } });
  const files = unzip(Buffer.from(await zip.arrayBuffer()));
  expect(files).toEqual({ 'Plans/': '', 'Plans/Doors.txt': bytes.toString() });

  await client.documents.remove.mutate({ operationId: uuidv7(), buildingId, ids: [folderId] });
  expect((await fetch(`${server.url}${link}`, { headers: { cookie } })).status).toBe(404);
});

test('a document is not taken from people without the permission, nor for a place that they do not see', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const file = { name: 'a.txt', size: 1 };
  const manager = await createPerson(server.services, { role: 'manager', buildings: [buildingId] });
  expect((await announce(await signInAs(server, manager), input, file)).status).toBe(403);
  expect((await announce(cookie, { ...input, buildingId: uuidv7() }, file)).status).toBe(404);
  expect((await announce(cookie, { ...input, place: 'here' }, file)).status).toBe(400);
});

test('without room not even an empty document is announced, and what ends access or frees space goes on', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId });
  const viewer = await createPerson(server.services, { role: 'viewer' });
  const input = () => ({ uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 });
  const empty = { name: 'a.txt', size: 0 };
  free = FLOOR;
  const refused = await announce(cookie, input(), empty);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain(messages.common.serverFull);
  free = FLOOR / 2;
  const code = createTestClient(server.url, '').displays.requestCode.mutate({ width: 1_920, height: 1_080 });
  expect(await refusalOf(code)).toMatchObject({ code: 'busy' });
  free = 0;
  await client.documents.remove.mutate({ operationId: uuidv7(), buildingId, ids: [folderId] });
  await client.users.setActive.mutate({ operationId: uuidv7(), userId: viewer.id, active: false });
  free = FLOOR + 1;
  expect((await announce(cookie, input(), empty)).status).toBe(200);
});

test('of one person a thousand unfinished uploads are kept, and each may be announced again', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const person = await createPerson(server.services, { role: 'admin' });
  const as = await signInAs(server, person);
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const file = { name: 'a.txt', size: 1 };
  expect((await announce(as, input, file)).status).toBe(200);
  const unfinished = Array.from({ length: 999 }, () => ({
    id: uuidv7(),
    purpose: 'document',
    store: 'disk' as const,
    key: `test/${uuidv7()}`,
    bytes: 1,
    contentType: 'text/plain',
    uploadedBy: person.id,
    announcedAt: new Date().toISOString(),
  }));
  await server.services.db.insert(storedFiles).values(unfinished);
  const refused = await announce(as, { ...input, uploadId: uuidv7() }, file);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain(documentMessages.tooManyUnfinished(1_000));
  expect((await announce(as, input, file)).status).toBe(200);
  expect((await announce(cookie, { ...input, uploadId: uuidv7() }, { ...file, name: 'b.txt' })).status).toBe(
    200,
  );
});

test.each([-1, 1.5, 1e30, Number.MAX_SAFE_INTEGER + 1, '1', null, undefined])(
  'a size of %s is refused as wrong input',
  async (size) => {
    const buildingId = (await createBuilding(server.services)).id;
    const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
    // The cast: no caller of ours sends such a size.
    const refused = await announce(cookie, input, { name: 'a.txt', size: size as number });
    expect(refused.status).toBe(400);
  },
);

test('no file, several files, an unknown route and an id of something else are refused, and nothing is reserved', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId });
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const file = { name: 'a.txt', size: 1, type: 'text/plain', lastModified: 1 };
  const post = (query: string, body: unknown) =>
    fetch(`${server.url}/api/uploadthing${query}`, {
      method: 'POST',
      headers: {
        ...headersFor(server.url, cookie),
        'x-uploadthing-package': 'test',
        'x-uploadthing-version': '7.7.4',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const known = '?actionType=upload&slug=document';
  expect((await post(known, { files: [], input })).status).toBe(400);
  expect((await post(known, { files: [file, { ...file, name: 'b.txt' }], input })).status).toBe(400);
  for (const body of [null, [], {}, { files: 'a', input }, { files: [{}], input }])
    expect((await post(known, body)).status).toBe(400);
  expect((await post('?actionType=upload&slug=%0Aforged', { files: [file], input })).status).toBe(404);
  const folder = await post(known, { files: [file], input: { ...input, uploadId: folderId } });
  expect(folder.status).toBe(409);
  expect(
    await server.services.db.$count(storedFiles, inArray(storedFiles.id, [input.uploadId, folderId])),
  ).toBe(0);
});
