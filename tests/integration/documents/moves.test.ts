import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import { addFolder, expectTallies } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Random moves: one after the other, compared with a model of the tree, and many at once, checked by the tree's invariants.

const FOLDERS = 24;
const MOVES = 60;
const AT_ONCE = 50;
const LIMIT = { burst: 100_000, perSecond: 10_000 };

let database: TestDatabase;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { limits: { person: LIMIT, anonymous: LIMIT } });
  const admin = await createPerson(server.services, { role: 'admin' });
  client = createTestClient(server.url, await signInAs(server, admin));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });

/** A building with folders in two disciplines, made at random places. */
async function plant(random: Random) {
  const buildingId = (await createBuilding(server.services)).id;
  const disciplines: string[] = [];
  for (const name of ['Fire', 'Water']) {
    const id = uuidv7();
    await client.documents.disciplines.add.mutate({ ...operation(), id, name: `${name} ${id}` });
    disciplines.push(id);
  }
  const folders: string[] = [];
  const anyPlace = (): DocumentPlace => {
    const at = random.below(folders.length + disciplines.length);
    const folderId = folders[at - disciplines.length];
    if (folderId !== undefined) return { at: 'folder', folderId };
    return { at: 'discipline', disciplineId: disciplines[at] ?? null };
  };
  while (folders.length < FOLDERS) {
    folders.push(
      await addFolder(client, { buildingId, place: anyPlace(), name: `Folder ${folders.length}` }),
    );
  }
  const anyFolder = () => random.pick(folders);
  const move = (ids: string[], to: DocumentPlace) =>
    client.documents.move.mutate({ ...operation(), buildingId, ids, to });
  const all = () =>
    Promise.all(folders.map(async (id) => (await client.documents.byId.query({ id })).data.document));
  return { folders, anyPlace, anyFolder, move, all };
}

/** Checks the invariants of a tree: no circle, the path names the parents, the discipline is that of the top. */
function expectTree(rows: readonly Document[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const path: string[] = [];
    let top = row;
    for (let at = row; at.parentFolderId !== null; at = top) {
      path.unshift(at.parentFolderId);
      top = byId.get(at.parentFolderId) ?? row;
      if (path.length > rows.length) throw new Error(`${row.fileName} is in a circle`);
    }
    expect(row.folderPath, row.fileName).toEqual(path);
    expect(row.disciplineId, row.fileName).toBe(top.disciplineId);
  }
}

test('one after the other give the tree of the model', { timeout: 120_000 }, async () => {
  const random = seededRandom('20261123');
  const { anyFolder, anyPlace, move, all } = await plant(random);
  const placeOf = new Map<string, string | null>();
  const planted = await all();
  for (const row of planted) placeOf.set(row.id, row.parentFolderId);
  const isBelow = (id: string | null, folder: string): boolean =>
    id !== null && (id === folder || isBelow(placeOf.get(id) ?? null, folder));
  for (let count = 0; count < MOVES; count += 1) {
    const [id, to] = [anyFolder(), anyPlace()];
    const target = to.at === 'folder' ? to.folderId : null;
    if (isBelow(target, id)) {
      expect(await refusalOf(move([id], to))).toMatchObject({ code: 'invalid' });
    } else {
      await move([id], to);
      placeOf.set(id, target);
    }
  }
  const rows = await all();
  expectTree(rows);
  expect(new Map(rows.map(({ id, parentFolderId }) => [id, parentFolderId]))).toEqual(placeOf);
});

test('many at once make no circle, and lose nothing', { timeout: 120_000 }, async () => {
  const random = seededRandom('20261123 at once');
  const { folders, anyFolder, anyPlace, move, all } = await plant(random);
  const wanted = Array.from({ length: AT_ONCE }, () => ({ ids: [anyFolder(), anyFolder()], to: anyPlace() }));
  const outcomes = await Promise.allSettled(wanted.map(({ ids, to }) => move([...new Set(ids)], to)));
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  const rows = await all();
  expect(rows).toHaveLength(folders.length);
  expectTree(rows);
  const places = rows.map((row) => `${row.parentFolderId ?? row.disciplineId}/${row.fileName.toLowerCase()}`);
  expect(new Set(places).size).toBe(rows.length);
});

test('the tallies equal a count after any change', () => expectTallies(server));
