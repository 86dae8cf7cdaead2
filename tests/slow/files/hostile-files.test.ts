import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { uuidv7 } from '#shared/ids.ts';
import { HOSTILE_NAMES, type HostileFile, hostileFiles } from '#tests/support/hostile/hostile-corpus.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { unzip } from '#tests/support/uploads/unzip.ts';
import type { UploadServerHandlers } from '#tests/support/uploads/upload-server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

const MIB = 1024 * 1024;
const MAY_GROW_MIB = 200;
/** Types that a browser shows in the frame of a preview without running them. */
const HARMLESS =
  /^(application\/pdf|image\/(png|jpeg|gif|webp|avif)|text\/plain|video\/(mp4|webm)|audio\/mpeg)(;|$)/;
/** A header without characters that could end the header, lead out of a folder, or change the direction of text. */
const DISPOSITION =
  /^(inline|attachment); filename="[\x20-\x21\x23-\x24\x26-\x2e\x30-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/;

let database: TestDatabase;
let dataDir: string;
/** A server on the same database, without the files. */
let office: TestServer;
let child: Child<UploadServerHandlers>;
let url: string;
let cookie: string;
let client: TestClient;
let buildingId: string;
let folderId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-hostile-'));
  office = await startTestServer(database);
  ({ id: buildingId } = await createBuilding(office.services));
  cookie = await signInAs(office, await createPerson(office.services, { role: 'admin' }));
  child = startChild<UploadServerHandlers>(
    new URL('../../support/uploads/upload-server.ts', import.meta.url),
  );
  const env = { dataDir, fileStore: 'disk' as const };
  url = await child.ask('listen', { databaseUrl: database.appUrl, env, documents: true });
  client = createTestClient(url, cookie);
  folderId = await addFolder(client, { buildingId, name: 'From a contractor' });
}, 60_000);
afterAll(async () => {
  await child.kill();
  await office.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function upload(file: Omit<HostileFile, 'what'>): Promise<string> {
  const input = { uploadId: uuidv7(), buildingId, place: { at: 'folder', folderId }, lastModified: 1 };
  const address = await presignDocument(url, cookie, { ...input, onSameName: 'keep_both' }, file);
  const answer = await rawClient(url, cookie).put(address, file.bytes);
  expect(answer.status).toBe(200);
  return input.uploadId;
}
async function read(id: string, as: 'preview' | 'download') {
  const link = await client.documents.link.query({ id, as });
  const answer = await fetch(`${url}${link.url}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

function expectHarmless(headers: Headers): void {
  const of = (name: string) => headers.get(name) ?? '';
  const type = of('content-type');
  expect(of('content-disposition')).toMatch(DISPOSITION);
  if (!HARMLESS.test(type)) expect(of('content-disposition')).toMatch(/^attachment;/);
  expect(of('x-content-type-options')).toBe('nosniff');
  expect(of('content-security-policy')).toMatch(/^(sandbox; )?default-src 'none'; /);
  expect(of('content-security-policy')).not.toMatch(/script|allow-/);
  if (!type.startsWith('application/pdf')) expect(of('content-security-policy')).toMatch(/^sandbox; /);
  expect(of('cross-origin-resource-policy')).toBe('same-origin');
  expect(of('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('content-encoding')).toBeNull();
}

describe('a hostile file', () => {
  test('comes back byte for byte, and never as anything that runs; memory stays flat', async () => {
    await upload({ name: 'first.txt', type: 'text/plain', bytes: Buffer.from('first') });
    const { now: idle } = await child.ask('memory', undefined);
    for (const { what, ...file } of hostileFiles()) {
      const id = await upload(file);
      for (const as of ['preview', 'download'] as const) {
        const { headers, bytes } = await read(id, as);
        expectHarmless(headers);
        if (as === 'download') expect(headers.get('content-disposition')).toMatch(/^attachment;/);
        expect(bytes.equals(file.bytes), what).toBe(true);
      }
    }
    const { most } = await child.ask('memory', undefined);
    expect((most - idle) / MIB).toBeLessThan(MAY_GROW_MIB);
  }, 120_000);

  test.each(HOSTILE_NAMES)('is called %j in vain', async (name) => {
    const file = { name, type: 'text/plain', bytes: Buffer.from('harmless') };
    const id = await upload(file).catch((error: unknown) => {
      // The file is refused with a message, before anything is stored.
      expect(JSON.parse(String(Reflect.get(Object(error), 'message')))).toMatchObject({ code: 'invalid' });
    });
    if (id === undefined) return;
    expectHarmless((await read(id, 'preview')).headers);
    const { data } = await client.documents.byId.query({ id });
    expect(JSON.stringify(data.document.fileName)).not.toMatch(/\\u|\p{Cc}|\p{Cf}|\p{Cs}/u);
  });

  test('lies under a key of our own, and leads nowhere in an archive', async () => {
    const rows = await office.services.db.select({ key: storedFiles.key }).from(storedFiles);
    const found = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
    const paths = found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(dataDir, 'files').length + 1));
    expect(paths.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
    for (const path of paths) expect(path).toMatch(/^[\w./-]+$/);

    const { url: link } = await client.documents.archiveLink.query({ ids: [folderId] });
    const answer = await fetch(`${url}${link}`, { headers: { cookie } });
    const names = Object.keys(unzip(Buffer.from(await answer.arrayBuffer())));
    expect(names.length).toBeGreaterThan(rows.length);
    for (const name of names) {
      expect(name).toMatch(/^From a contractor\//);
      expect(name).not.toMatch(/(^|\/)\.{1,2}(\/|$)|[\\:]|\p{Cc}|\p{Cf}/u);
    }
  }, 60_000);
});
