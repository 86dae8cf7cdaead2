import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder, GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { unzip } from '#tests/support/uploads/unzip.ts';
import { rawClient } from '#tests/support/uploads/uploads.ts';

// The way of a document's bytes as a browser goes it: announced, sent, read by a link, taken along in an archive.

let dataDir: string;
let database: TestDatabase;
let server: TestServer;
let cookie: string;
let client: TestClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-documents-'));
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { dataDir } });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
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
