import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareDocuments, matchesDocumentFilter } from '#shared/features/documents/document-filter.ts';
import type { DocumentPage, DocumentPlace } from '#shared/features/documents/documents.ts';
import { DOCUMENT_DIRECTIONS, DOCUMENT_SORTS } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder, expectTallies, GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  const admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Rowe' });
  client = createTestClient(server.url, await signInAs(server, admin));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const building = async () => (await createBuilding(server.services)).id;
const inFolder = (folderId: string): DocumentPlace => ({ at: 'folder', folderId });
const namesIn = async (buildingId: string, place: DocumentPlace) =>
  (await client.documents.list.query({ buildingId, place })).data.rows.map(({ fileName }) => fileName);
const move = (buildingId: string, ids: string[], to: DocumentPlace) =>
  client.documents.move.mutate({ ...operation(), buildingId, ids, to });
const remove = (buildingId: string, ids: string[]) =>
  client.documents.remove.mutate({ ...operation(), buildingId, ids });
const restore = (id: string) => client.documents.restore.mutate({ ...operation(), id });
async function addDiscipline(name = `Discipline ${uuidv7()}`) {
  const { id } = await client.documents.disciplines.add.mutate({ ...operation(), id: uuidv7(), name });
  return { id, name, place: { at: 'discipline', disciplineId: id } satisfies DocumentPlace };
}

describe('folders', () => {
  test('are made in a discipline and in each other, with their trail', async () => {
    const buildingId = await building();
    const fire = await addDiscipline();
    const plans = await addFolder(client, { buildingId, place: fire.place, name: '  Plans ' });
    const floors = await addFolder(client, { buildingId, place: inFolder(plans), name: 'Floors' });
    const { data: trail } = await client.documents.path.query({ folderId: floors });
    expect(trail).toEqual({
      buildingId,
      disciplineId: fire.id,
      folders: [
        { id: plans, fileName: 'Plans', folderColor: 'blue' },
        { id: floors, fileName: 'Floors', folderColor: 'blue' },
      ],
    });
    const { data: root } = await client.documents.root.query({ buildingId });
    const held = root.disciplines.filter(({ folders }) => folders > 0);
    expect(held).toMatchObject([
      { disciplineId: fire.id, name: fire.name, isActive: true, folders: 2, files: 0 },
    ]);
  });

  test('need a name, and have it once in a place, whatever the case', async () => {
    const buildingId = await building();
    await addFolder(client, { buildingId, name: 'Plans' });
    const blank = await refusalOf(addFolder(client, { buildingId, name: '   ' }));
    expect(blank).toMatchObject({ code: 'invalid', fields: { name: documentMessages.folderNameRequired } });
    const twice = await refusalOf(addFolder(client, { buildingId, name: 'PLANS' }));
    expect(twice).toMatchObject({ code: 'invalid', fields: { name: documentMessages.folderTaken('PLANS') } });
  });

  test('on several paths are made at once, and those that exist are used again', async () => {
    const buildingId = await building();
    const drawings = await addFolder(client, { buildingId, name: 'Drawings' });
    const paths = [['drawings', 'A', 'B'], ['Drawings', 'a', 'C'], ['Manuals']];
    const answer = await client.documents.createFolders.mutate({
      ...operation(),
      buildingId,
      place: GENERAL_PLACE,
      paths,
    });
    expect(answer.made).toBe(4);
    expect(await namesIn(buildingId, GENERAL_PLACE)).toEqual(['Drawings', 'Manuals']);
    expect(await namesIn(buildingId, inFolder(drawings))).toEqual(['A']);
    const trails = await Promise.all(
      answer.folderIds.map(
        async (folderId) => (await client.documents.path.query({ folderId })).data.folders,
      ),
    );
    expect(trails.map((folders) => folders.map(({ fileName }) => fileName))).toEqual([
      ['Drawings', 'A', 'B'],
      ['Drawings', 'A', 'C'],
      ['Manuals'],
    ]);
  });

  test('are listed as people count: "Plan 2" before "Plan 10"', async () => {
    const buildingId = await building();
    for (const name of ['plan 10', 'Plan 2', 'Plan 1b', 'annex'])
      await addFolder(client, { buildingId, name });
    expect(await namesIn(buildingId, GENERAL_PLACE)).toEqual(['annex', 'Plan 1b', 'Plan 2', 'plan 10']);
  });
});

test('a list by pages is what the browser filters and sorts by itself', async () => {
  const buildingId = await building();
  const fire = await addDiscipline('Fire 50%');
  const names = [
    'Plan 10',
    'plan 2',
    'Zebra',
    'Äpfel',
    'İstanbul',
    'a_b',
    'a%b',
    'plan 002',
    '9999999999999',
  ];
  for (const [at, name] of names.entries()) {
    await addFolder(client, { buildingId, name, ...(at % 3 === 0 && { place: fire.place }) });
  }
  const outer = await addFolder(client, { buildingId, place: fire.place, name: 'Outer' });
  await addFolder(client, { buildingId, place: inFolder(outer), name: 'plan below' });
  const whole = { buildingId, place: { at: 'building' } as const, expiry: 'all' as const };
  const all = [];
  for (const search of ['general', 'fire 50%']) {
    all.push(...(await client.documents.list.query({ ...whole, search })).data.rows);
  }
  expect(all).toHaveLength(names.length + 2);
  const places: DocumentPlace[] = [{ at: 'building' }, fire.place, GENERAL_PLACE, inFolder(outer)];
  for (const place of places) {
    for (const search of place.at === 'building'
      ? ['', 'PLAN', 'a%', 'a_', '\\', 'p', 'Ä', 'g']
      : ['', 'plan', 'pl']) {
      for (const sort of DOCUMENT_SORTS) {
        for (const direction of DOCUMENT_DIRECTIONS) {
          const filter = { buildingId, place, search, expiry: 'all' as const, foldersOnly: true };
          const options = { disciplineName: () => fire.name, today: '2026-01-01' };
          const expected = all
            .filter((row) => matchesDocumentFilter(filter, row, options))
            .sort((a, b) => compareDocuments({ sort, direction }, a, b));
          const input = { ...filter, sort, direction, limit: 2 };
          const listed = [];
          let cursor = null;
          do {
            const { data }: { data: DocumentPage } = await client.documents.list.query({ ...input, cursor });
            listed.push(...data.rows);
            expect(data.total).toBe(expected.length);
            cursor = data.nextCursor;
          } while (cursor !== null);
          expect(listed.map(({ fileName }) => fileName)).toEqual(expected.map(({ fileName }) => fileName));
        }
      }
    }
  }
});

describe('a move', () => {
  test('takes the subtree along, with the discipline', async () => {
    const buildingId = await building();
    const [fire, water] = [await addDiscipline(), await addDiscipline()];
    const plans = await addFolder(client, { buildingId, place: fire.place, name: 'Plans' });
    const floors = await addFolder(client, { buildingId, place: inFolder(plans), name: 'Floors' });
    const ground = await addFolder(client, { buildingId, place: inFolder(floors), name: 'Ground' });
    const target = await addFolder(client, { buildingId, place: water.place, name: 'Archive' });
    expect(await move(buildingId, [plans], inFolder(target))).toMatchObject({
      folders: 3,
      files: 0,
      renamed: [],
    });
    const { data } = await client.documents.byId.query({ id: ground });
    expect(data.document).toMatchObject({
      disciplineId: water.id,
      folderPath: [target, plans, floors],
      version: 2,
    });
  });

  test('into itself, below itself or to another building is refused, and changes nothing', async () => {
    const [buildingId, elsewhere] = [await building(), await building()];
    const outer = await addFolder(client, { buildingId, name: 'Outer' });
    const inner = await addFolder(client, { buildingId, place: inFolder(outer), name: 'Inner' });
    const other = await addFolder(client, { buildingId: elsewhere });
    for (const to of [outer, inner]) {
      const refusal = await refusalOf(move(buildingId, [outer], inFolder(to)));
      expect(refusal).toMatchObject({ code: 'invalid', message: documentMessages.intoItself });
    }
    expect(await refusalOf(move(buildingId, [outer], inFolder(other)))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(move(elsewhere, [outer], inFolder(other)))).toMatchObject({ code: 'not_found' });
    const { data } = await client.documents.byId.query({ id: inner });
    expect(data.document).toMatchObject({ folderPath: [outer], version: 1 });
  });

  test('to where the name is taken numbers it', async () => {
    const buildingId = await building();
    const outer = await addFolder(client, { buildingId, name: 'Outer' });
    await addFolder(client, { buildingId, place: inFolder(outer), name: 'plans' });
    const id = await addFolder(client, { buildingId, name: 'Plans' });
    const answer = await move(buildingId, [id], inFolder(outer));
    expect(answer.renamed).toEqual([{ id, fileName: 'Plans (2)' }]);
    expect(await namesIn(buildingId, inFolder(outer))).toEqual(['plans', 'Plans (2)']);
  });
});

describe('the bin', () => {
  test('holds what was deleted with what was in it, and gives it back whole', async () => {
    const buildingId = await building();
    const outer = await addFolder(client, { buildingId, name: 'Outer' });
    const early = await addFolder(client, { buildingId, place: inFolder(outer), name: 'Early' });
    const inner = await addFolder(client, { buildingId, place: inFolder(outer), name: 'Inner' });
    await remove(buildingId, [early]);
    expect(await remove(buildingId, [inner, outer])).toMatchObject({ folders: 2 });
    expect(await namesIn(buildingId, GENERAL_PLACE)).toEqual([]);
    const { data: bin } = await client.documents.bin.query({ buildingId });
    expect(
      bin.rows.map(({ fileName, folders, deletedByName }) => ({ fileName, folders, deletedByName })),
    ).toEqual([
      { fileName: 'Outer', folders: 2, deletedByName: 'Ada Rowe' },
      { fileName: 'Early', folders: 1, deletedByName: 'Ada Rowe' },
    ]);
    expect(await refusalOf(restore(inner))).toMatchObject({ code: 'not_found' });
    await restore(outer);
    expect(await namesIn(buildingId, inFolder(outer))).toEqual(['Inner']);
  });

  test('gives back to the top of the discipline what was in a deleted folder', async () => {
    const buildingId = await building();
    const outer = await addFolder(client, { buildingId, name: 'Outer' });
    const inner = await addFolder(client, { buildingId, place: inFolder(outer), name: 'Inner' });
    const deepest = await addFolder(client, { buildingId, place: inFolder(inner), name: 'Deepest' });
    await remove(buildingId, [inner]);
    await remove(buildingId, [outer]);
    await addFolder(client, { buildingId, name: 'Inner' });
    expect(await restore(inner)).toMatchObject({
      folders: 2,
      renamed: [{ id: inner, fileName: 'Inner (2)' }],
    });
    const { data } = await client.documents.byId.query({ id: deepest });
    expect(data.document.folderPath).toEqual([inner]);
  });
});

test('the tallies equal a count after any change', () => expectTallies(server));
