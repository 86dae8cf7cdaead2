import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { safeName, uniqueNames } from '#server/features/documents/archive-names.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import { archiveIds, archiveUrl } from '#shared/features/documents/document-archive.ts';
import { ARCHIVE_ENTRIES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { addFolder, contextOf, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { unzip } from '#tests/support/uploads/unzip.ts';

let database: TestDatabase;
let server: TestServer;
let client: TestClient;
let ctx: SignedInContext;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { diskSpace: { floor: 1, freeBytes: async () => 1_000_000_000 } });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
  ctx = await contextOf(server, cookie);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Uploads a text, with its bytes in the storage. */
async function add(buildingId: string, folderId: string, fileName: string, content: string): Promise<string> {
  const place = { at: 'folder', folderId } as const;
  const { documentId } = await storeFile(ctx, { buildingId, place, fileName, content });
  const [file] = await server.services.db
    .select()
    .from(storedFiles)
    .where(isAnyOf(storedFiles.id, [documentId]));
  const bytes = (async function* () {
    yield Buffer.from(content);
  })();
  await server.services.stores.disk.storage.put(file?.key ?? '', bytes, { maxBytes: content.length });
  return documentId;
}

test('a selection comes as one ZIP file, by folder, with names that are safe and unique', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const outer = await addFolder(client, { buildingId, name: '../Plans' });
  const inner = await addFolder(client, {
    buildingId,
    place: { at: 'folder', folderId: outer },
    name: 'CON',
  });
  await addFolder(client, { buildingId, place: { at: 'folder', folderId: inner }, name: 'Empty' });
  const long = 'line\n'.repeat(50_000);
  await add(buildingId, outer, 'a:b.txt', 'one');
  await add(buildingId, outer, 'a?b.txt', 'two');
  await add(buildingId, inner, 'long.txt', long);
  const { url } = await client.documents.archiveLink.query({ ids: [outer] });
  const answer = await fetch(`${server.url}${url}`, { headers: { cookie } });
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''.._Plans.zip");
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  expect(Object.keys(files).sort()).toEqual(
    [
      '.._Plans/',
      '.._Plans/_CON/',
      '.._Plans/_CON/Empty/',
      '.._Plans/_CON/long.txt',
      '.._Plans/a_b (2).txt',
      '.._Plans/a_b.txt',
    ].sort(),
  );
  expect(files['.._Plans/_CON/long.txt']).toBe(long);
  expect([files['.._Plans/a_b.txt'], files['.._Plans/a_b (2).txt']].sort()).toEqual(['one', 'two']);
});

test.each([
  { files: 0, folders: 0 },
  { files: 1, folders: 0 },
  { files: 65, folders: 65 },
  { files: 1, folders: ARCHIVE_ENTRIES_MAX - 2 },
])('a folder with $files files and $folders empty folders comes whole', async ({ files, folders }) => {
  const { db } = server.services;
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId, name: 'Plans' });
  for (let n = 0; n < files; n += 1) await add(buildingId, folderId, `${n}.txt`, `text ${n}`);
  const [like] = await db.select().from(documents).where(eq(documents.id, folderId));
  if (like === undefined) throw new Error('there is no folder');
  const { containerId, nameKey, sortKey, ...row } = like;
  const below = { ...row, parentFolderId: folderId, folderPath: [folderId] };
  for (let n = 0; n < folders; n += 1_000) {
    const some = Array.from({ length: Math.min(1_000, folders - n) }, (_, at) => ({
      ...below,
      id: uuidv7(),
      fileName: `${'Level '.repeat(20)}${n + at}`,
    }));
    await db.insert(documents).values(some);
  }
  const answer = await fetch(`${server.url}${archiveUrl([folderId])}`, { headers: { cookie } });
  const found = unzip(Buffer.from(await answer.arrayBuffer()));
  expect(Object.keys(found)).toHaveLength(1 + files + folders);
  for (let n = 0; n < files; n += 1) expect(found[`Plans/${n}.txt`]).toBe(`text ${n}`);
});

test('a third archive at once is refused before anything is read for it, also while two that were abandoned are read', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId, name: 'Plans' });
  const { db } = server.services;
  const leaving = new AbortController();
  const ask = (signal?: AbortSignal) =>
    fetch(`${server.url}${archiveUrl([folderId])}`, { headers: { cookie }, ...(signal && { signal }) });
  const statusOf = async () => {
    const answer = await ask();
    await answer.arrayBuffer();
    return answer.status;
  };
  // The lock keeps both archives waiting for their rows.
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table building_documents in access exclusive mode`);
    const reading = [ask(leaving.signal), ask(leaving.signal)].map((asked) => asked.catch(() => undefined));
    await expect.poll(async () => (await db.execute(sql.raw(LOCK_WAITS))).length).toBe(2);
    leaving.abort();
    await Promise.all(reading);
    expect(await statusOf()).toBe(503);
    expect((await db.execute(sql.raw(LOCK_WAITS))).length).toBe(2);
  });
  await expect.poll(statusOf).toBe(200);
});

test('an archive is of what the person sees, and breaks off rather than leave a file out', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const folderId = await addFolder(client, { buildingId, name: 'Plans' });
  const viewer = await createPerson(server.services, { role: 'viewer' });
  const theirCookie = await signInAs(server, viewer);
  const theirs = createTestClient(server.url, theirCookie);
  expect(await refusalOf(theirs.documents.archiveLink.query({ ids: [folderId] }))).toMatchObject({
    code: 'not_found',
  });
  const ask = (as: string, path = archiveUrl([folderId])) =>
    fetch(`${server.url}${path}`, { headers: { cookie: as } });
  expect((await ask(theirCookie)).status).toBe(404);
  expect((await ask('')).status).toBe(401);
  expect((await ask(cookie, '/files/documents/archive?ids=..')).status).toBe(400);
  // A document whose bytes are not in the storage.
  await storeFile(ctx, { buildingId, place: { at: 'folder', folderId }, fileName: 'lost.txt' });
  expect((await ask(cookie)).status).toBe(500);
  // If a part has been sent already, the answer breaks off.
  await add(buildingId, folderId, 'before.txt', 'line\n'.repeat(50_000));
  await expect(ask(cookie).then((answer) => answer.arrayBuffer())).rejects.toThrow();
});

test('names for an archive lead nowhere else', () => {
  expect(
    ['..', '.', '', ' a. ', 'C:\\x', '/etc/passwd', 'nul.txt', 'CON .txt', 'conin$', 'a\u202eb'].map(
      safeName,
    ),
  ).toEqual(['_', '_', '_', 'a', 'C__x', '_etc_passwd', '_nul.txt', '_CON .txt', '_conin$', 'a_b']);
  const name = uniqueNames();
  expect([name('A.pdf', false), name('a.pdf', false), name('a', true)]).toEqual(['A.pdf', 'a (2).pdf', 'a']);
  // Names that differ only in the part that is cut off.
  const many = uniqueNames();
  const cut = Array.from({ length: 1_000 }, (_, n) => many(`${'n'.repeat(130)} ${n}.pdf`, false));
  expect(new Set(cut).size).toBe(1_000);
  expect(cut.at(-1)).toMatch(/^n+ \(1000\)\.pdf$/);
  const ids = [uuidv7(), uuidv7()];
  expect(archiveIds(new URLSearchParams(archiveUrl(ids).split('?')[1]).get('ids'))).toEqual(ids);
});
