import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { storedFiles } from '#db/schema/files.ts';
import { fileLayer } from '#server/boot/file-layer.ts';
import { rowsWithoutBytes, sweepFiles } from '#server/features/files/files.sweep.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { goBackBefore } from '#tests/support/postgres/older-migrations.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { photoRows, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createPeople, type Person } from '#tests/support/rows/population.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Photos had a state and a folder of their own before they became files. None is lost, and none is copied.

const PHOTOS_AS_FILES = '0010_photos_as_files';
const STATES = ['reserved', 'stored', 'removed', 'erased'] as const;

let database: TestDatabase;
let dataDir: string;
let server: TestServer;
let person: Person;
const bytes = picture(2_000);
const photos = STATES.map((state) => ({ state, id: uuidv7() }));
const idOf = (state: (typeof STATES)[number]) => photos.find((photo) => photo.state === state)?.id ?? '';
const keyOf = (id: string) => `photos/${id.slice(0, 6)}/${id}.png`;
const pathOf = (id: string) => join(dataDir, 'files', keyOf(id));

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-older-photos-'));
  await goBackBefore(database, PHOTOS_AS_FILES);
  await withLogin(database.ownerUrl, async (sql) => {
    const [someone] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    if (someone === undefined) throw new Error('no one was created');
    person = someone;
    const now = new Date().toISOString();
    const common = {
      ...{ on_kind: 'check', sha256: createHash('sha256').update(bytes).digest('hex') },
      ...{ bytes: bytes.byteLength, content_type: 'image/png', width: 1, height: 1, taken_at: now },
      ...{ announced_at: now, uploaded_by: person.id, uploaded_by_name: 'Pat Older' },
    };
    for (const { id, state } of photos) {
      const row = { ...common, id, state, on_id: uuidv7(), received_at: state === 'reserved' ? null : now };
      await sql`insert into photos ${sql(row)}`;
    }
  });
  for (const state of ['stored', 'removed'] as const) {
    await mkdir(dirname(pathOf(idOf(state))), { recursive: true });
    await writeFile(pathOf(idOf(state)), bytes);
  }
  await mkdir(join(dataDir, 'uploads'));
  await writeFile(join(dataDir, 'uploads', `${idOf('reserved')}.part`), bytes.subarray(0, 700));
});
afterAll(async () => {
  await server?.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('photos of an older version are files of the same bytes, and go on where they were', async () => {
  const inode = (await stat(pathOf(idOf('stored')))).ino;
  await migrate(database.ownerUrl, new URL(database.appUrl).username);
  server = await startTestServer(database, { env: { dataDir } });
  const { db, stores } = server.services;
  const rows = await photoRows(db);
  expect(rows.map(({ id, state, key }) => ({ id, state, key })).sort(byId)).toEqual(
    photos.map(({ id, state }) => ({ id, state, key: keyOf(id) })).sort(byId),
  );
  for await (const lost of rowsWithoutBytes({ db, stores })) expect(lost).toBeUndefined();

  const read = (id: string) =>
    fetch(`${server.url}/files/photos/${id}`, { headers: headersFor(server.url, person.cookie) });
  const stored = await read(idOf('stored'));
  expect(stored.status).toBe(200);
  expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await stat(pathOf(idOf('stored')))).ino).toBe(inode);
  expect((await read(idOf('removed'))).status).toBe(404);

  // A phone that was in the middle of it.
  const rest = await putPhoto(server.url, person.cookie, idOf('reserved'), 700, bytes.subarray(700));
  expect(await rest.json()).toMatchObject({ stored: true, received: bytes.byteLength });
  expect((await read(idOf('reserved'))).status).toBe(200);
  // The answer to a photo that the older version had stored was lost.
  const again = await putPhoto(server.url, person.cookie, idOf('stored'), bytes.byteLength, Buffer.alloc(0));
  expect(await again.json()).toMatchObject({ stored: true });

  await sweepFiles(server.services, fileLayer, new Date(Date.now() + 60_000));
  const [removed] = await db
    .select()
    .from(storedFiles)
    .where(eq(storedFiles.id, idOf('removed')));
  expect(removed?.state).toBe('erased');
  expect(await stores.disk.storage.head(keyOf(idOf('removed')))).toBeUndefined();
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
