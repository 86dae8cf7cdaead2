import { mkdir, mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { files } from '#scripts/admin/doctor-files.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { announcement, photoRows, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// The report of `npm run admin doctor` on files.

let database: TestDatabase;
let server: TestServer;
let sql: Sql;
let dataDir: string;
let cookie: string;
let buildingId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.appUrl, { max: 1 });
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-doctor-'));
  server = await startTestServer(database, { env: { dataDir } });
  ({ id: buildingId } = await createBuilding(server.services));
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const report = () => files({ env: server.services.env, sql, stores: { db: server.services.db } });
const pathOf = (key: string) => join(dataDir, 'files', ...key.split('/'));

async function storedDocument(): Promise<string> {
  const bytes = Buffer.from('The fire doors of the third floor');
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const file = { name: `${input.uploadId}.txt`, bytes };
  const address = await presignDocument(server.url, cookie, input, file);
  expect((await rawClient(server.url, cookie).put(address, bytes)).status).toBe(200);
  const [row] = await sql<{ key: string }[]>`select key from stored_files where id = ${input.uploadId}`;
  return row?.key ?? '';
}
async function storedPhoto(): Promise<string> {
  const issueId = uuidv7();
  const client = createTestClient(server.url, cookie);
  await client.issues.create.mutate({ operationId: uuidv7(), id: issueId, buildingId, title: 'A leak' });
  const bytes = picture(500);
  const photo = announcement(bytes, { issueId });
  await client.photos.announce.mutate(photo);
  await putPhoto(server.url, cookie, photo.id, 0, bytes);
  return (await photoRows(server.services.db)).find(({ id }) => id === photo.id)?.key ?? '';
}
async function unknownBytes(key: string, ageMs: number): Promise<void> {
  await mkdir(dirname(pathOf(key)), { recursive: true });
  await writeFile(pathOf(key), 'x');
  const at = new Date(Date.now() - ageMs);
  await utimes(pathOf(key), at, at);
}

test('the doctor names rows without their bytes, and bytes without a row', async () => {
  const [whole, short, gone] = [await storedDocument(), await storedDocument(), await storedPhoto()];
  expect(await report()).toEqual([
    { good: true, text: '0 files without their bytes' },
    { good: true, text: '0 of 3 files read again have other bytes' },
  ]);

  await truncate(pathOf(short), 3);
  await rm(pathOf(gone));
  await unknownBytes('photos/0199ff/nobody.jpg', 2 * DAY_MS);
  // The row of such a young file may not be stored yet.
  await unknownBytes('photos/0199ff/young.jpg', 0);
  const found = await report();
  expect(found.slice(-2)).toEqual([
    { good: false, text: '2 files without their bytes' },
    { good: true, text: '0 of 1 files read again have other bytes' },
  ]);
  const said = (good: boolean | 'note') =>
    found.slice(0, -2).flatMap((finding) => (finding.good === good ? [finding.text] : []));
  expect(said(false)).toHaveLength(2);
  for (const key of [gone, short])
    expect(said(false).filter((text) => text.endsWith(`has no bytes: ${key} on disk`))).toHaveLength(1);
  expect(said('note')).toEqual([
    'bytes without a row, which the next sweep deletes: photos/0199ff/nobody.jpg on disk',
  ]);
  expect(found.some(({ text }) => text.includes(whole))).toBe(false);
});

test('the doctor names files whose bytes are not those of their hash', async () => {
  const changed = await storedDocument();
  await writeFile(pathOf(changed), 'The fire doors of the third level');
  const found = await report();
  expect(found.at(-1)).toMatchObject({
    good: false,
    text: expect.stringMatching(/^1 of \d+ files read again/),
  });
  const wrong = found.filter(({ text }) => text.includes('has other bytes'));
  expect(wrong).toMatchObject([{ good: false, text: expect.stringContaining(`${changed} on disk`) }]);
});
