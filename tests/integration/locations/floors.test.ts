import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { events } from '#db/schema/live.ts';
import { floors } from '#db/schema/places.ts';
import { dayOf } from '#shared/dates.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { checkFile, runFile } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let session: string;
let api: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const limit = { burst: 100_000, perSecond: 1_000 };
  server = await startTestServer(database, { limits: { person: limit, anonymous: limit } });
  session = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  api = createTestClient(server.url, session);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const listed = async (buildingId: string) => (await api.locations.listFloors.query({ buildingId })).data;
const names = async (buildingId: string) => (await listed(buildingId)).map(({ name }) => name);
const counted = async (id: string) => (await api.locations.building.query({ id })).data?.floorCount;
const rename = (id: string, from: string, to: string) =>
  api.locations.renameFloor.mutate({ ...operation(), id, name: { from, to } });
const remove = (id: string) => api.locations.removeFloor.mutate({ ...operation(), id });
const restore = (id: string) => api.locations.restoreFloor.mutate({ ...operation(), id });

/** Creates a building with three floors and returns their ids, ground floor first. */
async function house() {
  const name = `Floors ${uuidv7()}`;
  const { id } = await api.locations.createBuilding.mutate({
    ...operation(),
    clientName: name,
    name,
    floors: 3,
  });
  const [ground = '', first = '', second = ''] = (await listed(id)).map((floor) => floor.id);
  return { id, name, ground, first, second };
}

async function lightOn(buildingId: string, floorId: string): Promise<string> {
  const id = uuidv7();
  await api.assets.create.mutate({
    ...operation(),
    id,
    buildingId,
    floorId,
    name: 'Emergency Light 1',
    description: 'By the door',
    roomName: 'Landing',
  });
  return id;
}

test('a floor gets a name of its own, and that of its level again where the name is blank', async () => {
  const { id, first } = await house();
  await rename(first, '1st Floor', '  Mezzanine ');
  expect(await names(id)).toEqual(['Ground Floor', 'Mezzanine', '2nd Floor']);
  await rename(first, 'Mezzanine', ' ');
  expect(await names(id)).toEqual(['Ground Floor', '1st Floor', '2nd Floor']);
  const long = await refusalOf(rename(first, '1st Floor', 'x'.repeat(101)));
  expect(long.fields).toEqual({ 'name.to': messages.common.tooLong(100) });
  const taken = await refusalOf(rename(first, '1st Floor', 'ground floor'));
  expect(taken.fields).toEqual({ 'name.to': placeMessages.floorTaken('Ground Floor') });
  expect((await refusalOf(rename(uuidv7(), '', 'Attic'))).code).toBe('not_found');
});

test('assets on a renamed floor show the new name, with an event for the asset', async () => {
  const { id, first, second } = await house();
  const assetId = await lightOn(id, first);
  await rename(first, '1st Floor', 'Mezzanine');
  await rename(second, '2nd Floor', 'Attic');
  expect((await api.assets.get.query({ id: assetId })).data).toMatchObject({
    floorName: 'Mezzanine',
    location: 'Mezzanine, Landing',
    version: 2,
  });
  await server.services.db.execute(sql`select n from sequence_events()`);
  const told = await server.services.db
    .select({ entity: events.entity, op: events.op })
    .from(events)
    .where(sql`${id}::uuid = any(${events.buildings})`)
    .orderBy(desc(events.g))
    .limit(3);
  // The second floor has no assets, so no asset event follows its renaming.
  expect(told).toEqual([
    { entity: 'building', op: 'put' },
    { entity: 'asset', op: 'bulk' },
    { entity: 'building', op: 'put' },
  ]);
});

test('of two administrators who rename a floor at once one is told what the other wrote', async () => {
  const { id, first } = await house();
  const both = await Promise.allSettled([
    rename(first, '1st Floor', 'Mezzanine'),
    rename(first, '1st Floor', 'Gallery'),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [, stored = ''] = await names(id);
  const late = await refusalOf(rename(first, '1st Floor', 'Balcony'));
  expect(late).toMatchObject({ code: 'conflict', fields: { name: stored } });
});

test('of ten who delete floors at once each floor is deleted by one, and the count is true', async () => {
  const { id, first, second } = await house();
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => remove(n % 2 === 0 ? first : second)),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await counted(id)).toBe(1);
  const changes = async () => {
    const rows = await server.services.db.execute<{ change: number[] }>(
      sql`select p.body::jsonb #> '{changes,floorCount}' as change from events e join event_payloads p on p.g = e.g
        where ${id}::uuid = any(e.buildings) and p.body::jsonb -> 'changes' ? 'floorCount' order by e.g`,
    );
    return [...rows].map(({ change }) => change);
  };
  await expect.poll(changes).toEqual([
    [3, 2],
    [2, 1],
  ]);
});

test('an empty floor is deleted for good, one with an asset goes to the archive and comes back', async () => {
  const { id, name, first, second } = await house();
  const assetId = await lightOn(id, first);
  expect(await api.locations.floorRecords.query({ id: second })).toEqual([]);
  expect(await remove(second)).toMatchObject({ id, outcome: 'deleted' });
  expect(await server.services.db.select().from(floors).where(eq(floors.id, second))).toEqual([]);

  await rename(first, '1st Floor', 'Mezzanine');
  expect(await api.locations.floorRecords.query({ id: first })).toEqual([{ kind: 'asset', count: 1 }]);
  expect(await remove(first)).toMatchObject({ id, outcome: 'archived' });
  expect((await refusalOf(remove(first))).code).toBe('not_found');
  expect((await refusalOf(rename(first, 'Mezzanine', 'Gallery'))).code).toBe('not_found');
  expect((await refusalOf(api.locations.floorRecords.query({ id: first }))).code).toBe('not_found');
  expect(await names(id)).toEqual(['Ground Floor']);
  expect(await counted(id)).toBe(1);
  const [put] = (await api.locations.listArchived.query({})).data.rows;
  expect(put).toMatchObject({ kind: 'floor', id: first, name: 'Mezzanine', within: name });

  // Assets on an archived floor stay in use and can be changed, but no other asset can be put there.
  const edit = { roomName: { from: 'Landing', to: 'Stairs' } };
  await api.assets.update.mutate({ ...operation(), id: assetId, changes: edit });
  expect((await api.assets.get.query({ id: assetId })).data.location).toBe('Mezzanine, Stairs');
  expect((await refusalOf(lightOn(id, first))).fields).toEqual({ floorId: assetMessages.floorUnknown });

  await restore(first);
  await restore(first);
  expect(await names(id)).toEqual(['Ground Floor', 'Mezzanine']);
  expect(await counted(id)).toBe(2);
});

test('checks of what stands on a floor are counted before it goes', async () => {
  const { id, first, second } = await house();
  const assetId = await lightOn(id, first);
  const now = new Date().toISOString();
  await api.checks.record.mutate({
    kind: 'emergency_lighting_test',
    operationId: uuidv7(),
    visitId: uuidv7(),
    buildingId: id,
    visitDate: dayOf(now),
    operativeName: 'Aisha Khan',
    performedAt: now,
    deviceNow: now,
    entries: [{ id: uuidv7(), assetId, passed: true, notes: null }],
  });
  expect(await api.locations.floorRecords.query({ id: first })).toEqual([
    { kind: 'asset', count: 1 },
    { kind: 'check', count: 1 },
  ]);
  expect(await api.locations.floorRecords.query({ id: second })).toEqual([]);
});

test('adding floors brings an archived one back instead of making it twice; a file says to restore it', async () => {
  const { id, name, first } = await house();
  await lightOn(id, first);
  await remove(first);
  const csv = `Client,Building Name,Level,Floor Name\n${name},${name},1,Again`;
  const report = JSON.stringify(await checkFile(server.url, session, 'floors', csv));
  expect(report).toContain(importMessages.floorArchived);
  const add = () => api.locations.addFloors.mutate({ ...operation(), buildingId: id, floors: 4 });
  // Of the levels 0 to 3 two exist, one is restored and one is new.
  expect(await add()).toMatchObject({ added: 2 });
  expect(await add()).toMatchObject({ added: 0 });
  expect(await names(id)).toEqual(['Ground Floor', '1st Floor', '2nd Floor', '3rd Floor']);
  const there = await server.services.db
    .select({ id: floors.id })
    .from(floors)
    .where(and(eq(floors.buildingId, id), eq(floors.level, 1)));
  expect(there).toEqual([{ id: first }]);
});

test('an archived floor of an archived building is not named in the archive', async () => {
  const { id, first } = await house();
  await lightOn(id, first);
  await remove(first);
  await api.locations.removeBuilding.mutate({ ...operation(), id });
  const archived = (await api.locations.listArchived.query({})).data.rows.map((row) => row.id);
  expect(archived).toContain(id);
  expect(archived).not.toContain(first);
  expect((await refusalOf(restore(first))).code).toBe('not_found');
});

test('of two floors in use none has the name of the other, however it would come to it', async () => {
  const { id, name, first, second } = await house();
  const file = (rows: string) =>
    checkFile(server.url, session, 'floors', `Building Name,Level,Floor Name\n${rows}`);
  await rename(first, '1st Floor', '3RD FLOOR');
  // Adding: the fourth floor's default name is already the first floor's name.
  const adding = (floors: number) =>
    api.locations.addFloors.mutate({ ...operation(), buildingId: id, floors });
  expect((await refusalOf(adding(4))).fields).toEqual({
    floors: placeMessages.floorsTaken('3rd Floor', 3),
  });
  expect(await counted(id)).toBe(3);

  // Restoring: another floor has taken its name.
  await lightOn(id, second);
  await remove(second);
  await rename(first, '3RD FLOOR', '2nd floor');
  expect(await refusalOf(restore(second))).toMatchObject({
    code: 'invalid',
    message: placeMessages.floorRestoreTaken('2nd floor'),
  });
  expect((await refusalOf(adding(3))).fields).toEqual({
    floors: placeMessages.floorsTaken('2nd Floor', 2),
  });
  expect(await names(id)).toEqual(['Ground Floor', '2nd floor']);

  // Importing: the name of an existing floor, or of another row. Names of archived floors are free.
  const { rows } = await file(`${name},5,2ND FLOOR\n${name},6,Attic\n${name},7,attic\n${name},8,`);
  expect(rows.map(({ faults }) => faults)).toEqual([
    [{ column: 'Floor Name', text: placeMessages.floorTaken('2nd floor') }],
    [],
    [{ column: 'Floor Name', text: importMessages.twice(3) }],
    [],
  ]);
  await rename(first, '2nd floor', '');
  expect((await file(`${name},5,2nd Floor`)).faulty).toBe(0);
  await restore(second);
  expect(await adding(4)).toMatchObject({ added: 1 });
});

test('a floor that gets a name while a file adds another of that name makes the file be checked again', async () => {
  const { id, name, first } = await house();
  const { db } = server.services;
  const csv = `Building Name,Level,Floor Name\n${name},9,Attic`;
  let running: ReturnType<typeof runFile> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from buildings where id = ${id} for update`);
    running = runFile(server.url, session, 'floors', csv);
    // The import has read the names, and waits for the lock on the building.
    await expect.poll(async () => (await db.execute(LOCK_WAITS)).length).toBe(1);
    await tx.update(floors).set({ name: 'attic' }).where(eq(floors.id, first));
  });
  expect((await running)?.at(-1)).toEqual({ error: { code: 'conflict', message: importMessages.outdated } });
  expect(await names(id)).toEqual(['Ground Floor', 'attic', '2nd Floor']);
});

test('a floor whose name is the level of another is not guessed in a file of assets', async () => {
  const { name, first } = await house();
  await rename(first, '1st Floor', '2');
  const rows = ['2', '1', '2nd Floor'].map((floor) => `${name},${floor},Lamp ${floor},A lamp`);
  const check = await checkFile(
    server.url,
    session,
    'assets',
    ['Building Name,Floor,Name,Description', ...rows].join('\n'),
  );
  expect(check.rows.map(({ faults }) => faults)).toEqual([
    [{ column: 'Floor', text: importMessages.floorUnclear('2') }],
    [],
    [],
  ]);
});
