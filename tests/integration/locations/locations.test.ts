import { and, eq, gt, max, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { events } from '#db/schema/live.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { runFile } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let asAdmin: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const limit = { burst: 100_000, perSecond: 1_000 };
  server = await startTestServer(database, { limits: { person: limit, anonymous: limit } });
  asAdmin = await clientOf(await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function clientOf(person: TestPerson): Promise<TestClient> {
  return createTestClient(server.url, await signInAs(server, person));
}
const operation = () => ({ operationId: uuidv7() });

function addBuilding(values: Partial<Parameters<TestClient['locations']['createBuilding']['mutate']>[0]>) {
  return asAdmin.locations.createBuilding.mutate({ ...operation(), name: 'Harbour House', ...values });
}
async function reportIn(buildingId: string): Promise<string> {
  const id = uuidv7();
  await asAdmin.issues.create.mutate({ ...operation(), id, buildingId, title: 'A tap drips' });
  return id;
}
const levelsOf = async (buildingId: string) =>
  (
    await server.services.db
      .select()
      .from(floors)
      .where(eq(floors.buildingId, buildingId))
      .orderBy(floors.level)
  ).map(({ level, name, isBasement }) => [level, name, isBasement]);

const lastPosition = async () =>
  (await server.services.db.select({ g: max(events.g) }).from(events))[0]?.g ?? 0;

describe('a client', () => {
  test('is told once, and its name is taken whatever the case, the archive included', async () => {
    const name = `Northgate ${uuidv7()}`;
    const made = await asAdmin.locations.createClient.mutate({ ...operation(), name: `  ${name} ` });
    const again = await refusalOf(
      asAdmin.locations.createClient.mutate({ ...operation(), name: name.toUpperCase() }),
    );
    expect(again).toEqual({ code: 'invalid', fields: { name: placeMessages.clientTaken(name) } });
    await addBuilding({ clientId: made.id });
    await asAdmin.locations.removeClient.mutate({ ...operation(), id: made.id });
    const archived = await refusalOf(asAdmin.locations.createClient.mutate({ ...operation(), name }));
    expect(archived.fields).toEqual({ name: placeMessages.clientTakenArchived(name) });
  });

  test('without a name is refused at the field', async () => {
    for (const name of ['', '   ']) {
      const refusal = await refusalOf(asAdmin.locations.createClient.mutate({ ...operation(), name }));
      expect(refusal).toEqual({ code: 'invalid', fields: { name: 'Client name is required' } });
    }
  });

  test('is made once, however many type its name at the same moment', async () => {
    const name = `Race ${uuidv7()}`;
    const spelled = (n: number) => (n % 2 === 0 ? name : name.toUpperCase());
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        asAdmin.locations.createClient.mutate({ ...operation(), name: spelled(n) }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => addBuilding({ clientName: spelled(n), name: `Site ${n}` })),
    );
    const other = `Found or made ${uuidv7()}`;
    const more = await Promise.all(
      Array.from({ length: 10 }, () => addBuilding({ clientName: other, name: 'Same name' })),
    );
    expect(new Set(made.map(({ clientId }) => clientId)).size).toBe(1);
    expect(new Set(more.map(({ clientId }) => clientId)).size).toBe(1);
    expect(new Set(more.map(({ code }) => code)).size).toBe(10);
    const stored = await server.services.db
      .select()
      .from(clients)
      .where(eq(clients.nameKey, nameKey(other)));
    expect(stored).toHaveLength(1);
  });

  test('that is renamed is renamed in its buildings, for those who see nothing else of it', async () => {
    const client = await createClient(server.services);
    const { id } = await addBuilding({ clientId: client.id });
    const viewer = await clientOf(await createPerson(server.services, { role: 'viewer', buildings: [id] }));
    const to = `Renamed ${uuidv7()}`;
    const renamed = { from: client.name, to };
    await asAdmin.locations.renameClient.mutate({ ...operation(), id: client.id, name: renamed });
    expect((await viewer.locations.mine.query()).data).toMatchObject([{ id, clientName: to }]);
    expect((await viewer.locations.building.query({ id })).data).toMatchObject({
      clientName: to,
      version: 2,
    });
    const late = await refusalOf(
      asAdmin.locations.renameClient.mutate({
        ...operation(),
        id: client.id,
        name: { from: client.name, to: 'Late' },
      }),
    );
    expect(late).toMatchObject({ code: 'conflict', fields: { name: to } });
    const other = await createClient(server.services);
    const taken = await refusalOf(
      asAdmin.locations.renameClient.mutate({
        ...operation(),
        id: other.id,
        name: { from: other.name, to: to.toUpperCase() },
      }),
    );
    expect(taken).toEqual({ code: 'invalid', fields: { 'name.to': placeMessages.clientTaken(to) } });
  });
});

describe('a building', () => {
  test('needs a client and a name, and says so at both fields', async () => {
    const typed = await refusalOf(addBuilding({ clientName: ' ', name: '' }));
    expect(typed.fields).toEqual({ clientName: 'Client is required', name: 'Building name is required' });
    const chosen = await refusalOf(addBuilding({ clientId: '', name: '' }));
    expect(chosen.fields).toEqual({ clientId: 'Client is required', name: 'Building name is required' });
    const neither = await refusalOf(addBuilding({}));
    expect(neither.fields).toEqual({ clientId: 'Client is required' });
  });

  test('gets its floors, and a code that no other has', async () => {
    const { id: clientId } = await createClient(server.services);
    const name = 'Quayside Mill';
    const one = await addBuilding({ clientId, name, floors: 2, basement: true, address: ' ' });
    const two = await addBuilding({ clientId, name });
    const three = await addBuilding({ clientId, name });
    expect([one.code, two.code, three.code]).toEqual(['QUA', 'QUA2', 'QUA3']);
    expect(one.floors).toBe(3);
    expect(await levelsOf(one.id)).toEqual([
      [-1, 'Basement', true],
      [0, 'Ground Floor', false],
      [1, '1st Floor', false],
    ]);
    expect((await asAdmin.locations.building.query({ id: one.id })).data).toMatchObject({
      address: null,
      floorCount: 3,
    });
  });

  test('is edited field by field, and two who edit the same one do not overwrite each other', async () => {
    const { id } = await addBuilding({ clientName: `Edits ${uuidv7()}` });
    const change = (changes: object) =>
      asAdmin.locations.updateBuilding.mutate({ ...operation(), id, changes });
    await change({ name: { from: 'Harbour House', to: 'Harbour Point' } });
    await change({ address: { from: null, to: '1 Quay' } });
    const late = await refusalOf(change({ name: { from: 'Harbour House', to: 'Harbour View' } }));
    expect(late).toMatchObject({ code: 'conflict', fields: { name: 'Harbour Point' }, version: 3 });
    const blank = await refusalOf(change({ name: { from: 'Harbour Point', to: '  ' } }));
    expect(blank.fields).toEqual({ 'changes.name.to': 'Building name is required' });
  });
});

describe('floors', () => {
  test('are a total: what is there already is skipped', async () => {
    const { id: buildingId } = await addBuilding({ clientName: `Floors ${uuidv7()}`, floors: 2 });
    const add = (count: number, basement = false) =>
      asAdmin.locations.addFloors.mutate({ ...operation(), buildingId, floors: count, basement });
    expect(await add(3)).toMatchObject({ added: 1, version: 2 });
    expect(await add(3)).toMatchObject({ added: 0, version: 2 });
    expect(await add(1, true)).toMatchObject({ added: 1, version: 3 });
    expect((await levelsOf(buildingId)).map(([level]) => level)).toEqual([-1, 0, 1, 2]);
  });

  test('are at least one and at most a hundred, of a building that is there', async () => {
    const { id: buildingId } = await addBuilding({ clientName: `Limits ${uuidv7()}` });
    const wrong = (values: object) =>
      refusalOf(asAdmin.locations.addFloors.mutate({ ...operation(), buildingId, floors: 1, ...values }));
    expect((await wrong({ floors: 0 })).fields).toEqual({ floors: 'At least one floor is required' });
    expect((await wrong({ floors: Number.NaN })).fields).toEqual({
      floors: 'At least one floor is required',
    });
    expect((await wrong({ floors: 101 })).fields).toEqual({ floors: 'Maximum of 100 floors allowed' });
    expect((await wrong({ buildingId: '' })).fields).toEqual({ buildingId: 'Building is required' });
    expect(await wrong({ buildingId: uuidv7() })).toEqual({ code: 'not_found' });
    expect(await levelsOf(buildingId)).toEqual([]);
  });

  test('that fifty people add at the same moment exist once, and are counted once', async () => {
    const { id: buildingId } = await addBuilding({ clientName: `Crowd ${uuidv7()}` });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        asAdmin.locations.addFloors.mutate({
          ...operation(),
          buildingId,
          floors: 1 + (n % 20),
          basement: n % 2 === 0,
        }),
      ),
    );
    expect(answers.reduce((all, { added }) => all + added, 0)).toBe(21);
    expect((await levelsOf(buildingId)).map(([level]) => level)).toEqual(
      Array.from({ length: 21 }, (_, n) => n - 1),
    );
    const [stored] = await server.services.db.select().from(buildings).where(eq(buildings.id, buildingId));
    expect(stored?.version).toBe(1 + answers.filter(({ added }) => added > 0).length);
  });
});

describe('the lists', () => {
  test('come in pages in the order of the alphabet, and hold a search', async () => {
    const { id: clientId } = await createClient(server.services);
    const names = ['alpha', 'Beta', 'Gamma 10%', 'delta', 'Epsilon'];
    for (const name of names) await createBuilding(server.services, { clientId, name });
    const first = (await asAdmin.locations.listBuildings.query({ clientId, limit: 3 })).data;
    expect(first.rows.map(({ name }) => name)).toEqual(['alpha', 'Beta', 'delta']);
    expect(first.total).toBe(5);
    const cursor = first.nextCursor ?? undefined;
    const second = (await asAdmin.locations.listBuildings.query({ clientId, limit: 3, cursor })).data;
    expect(second.rows.map(({ name }) => name)).toEqual(['Epsilon', 'Gamma 10%']);
    expect(second.nextCursor).toBeNull();
    const found = (await asAdmin.locations.listBuildings.query({ clientId, search: 'A 10%' })).data;
    expect(found).toMatchObject({ total: 1, rows: [{ name: 'Gamma 10%' }] });
  });

  test('show others only the clients of their own buildings, and count only those (ruling R16)', async () => {
    const mine = await createClient(server.services);
    const theirs = await createClient(server.services);
    const here = await createBuilding(server.services, { clientId: mine.id });
    await createBuilding(server.services, { clientId: mine.id });
    const there = await createBuilding(server.services, { clientId: theirs.id });
    const viewer = await clientOf(
      await createPerson(server.services, { role: 'viewer', buildings: [here.id] }),
    );
    const { data } = await viewer.locations.listClients.query({});
    expect(data).toMatchObject({ total: 1, rows: [{ id: mine.id, buildingCount: 1 }] });
    expect((await viewer.locations.client.query({ id: mine.id })).data).toEqual(data.rows[0]);
    expect((await viewer.locations.client.query({ id: theirs.id })).data).toBeNull();
    expect((await viewer.locations.building.query({ id: there.id })).data).toBeNull();
    expect((await viewer.locations.listBuildings.query({ clientId: theirs.id })).data.rows).toEqual([]);
    const refusal = await refusalOf(viewer.locations.listFloors.query({ buildingId: there.id }));
    expect(refusal.code).toBe('not_found');
  });
});

describe('the archive', () => {
  test('takes a building with records out of every list, and gives it back as it was', async () => {
    const { id } = await addBuilding({ clientName: `Archive ${uuidv7()}`, floors: 2 });
    const issueId = await reportIn(id);
    const person = await createPerson(server.services, { role: 'manager', buildings: [id] });
    const manager = await clientOf(person);
    expect(await asAdmin.locations.buildingRecords.query({ id })).toEqual([
      { kind: 'floor', count: 2 },
      { kind: 'issue', count: 1 },
    ]);
    const removed = await asAdmin.locations.removeBuilding.mutate({ ...operation(), id });
    expect(removed).toEqual({ id, version: 2, outcome: 'archived' });
    for (const client of [asAdmin, manager]) {
      expect((await client.locations.mine.query()).data.some((place) => place.id === id)).toBe(false);
      const listed = (await client.issues.list.query({ filter: { buildingId: id } })).data;
      expect(listed.rows).toEqual([]);
    }
    expect((await manager.session.me.query()).data).toMatchObject({ buildings: [], accessVersion: 2 });
    const archived = (await asAdmin.locations.listArchived.query({})).data;
    expect(archived.rows[0]).toMatchObject({ kind: 'building', id, name: 'Harbour House' });

    await asAdmin.locations.restoreBuilding.mutate({ ...operation(), id });
    const back = (await manager.issues.list.query({ filter: {} })).data;
    expect(back.rows.map((row) => row.id)).toEqual([issueId]);
    expect((await manager.session.me.query()).data).toMatchObject({ buildings: [id], accessVersion: 3 });
  });

  test('beside saves of the people whom it concerns makes no deadlock', async () => {
    const { id } = await createBuilding(server.services);
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = await createPerson(server.services, { role: 'manager', buildings: [id] });
        return clientOf(person);
      }),
    );
    await reportIn(id);
    let archiving = true;
    const unexpected: unknown[] = [];
    const saving = people.map(async (client) => {
      while (archiving) {
        const issue = { ...operation(), id: uuidv7(), buildingId: id, title: 'A tap drips' };
        const refused = await client.issues.create.mutate(issue).then(
          () => undefined,
          (error: unknown) => refusalOf(Promise.reject(error)),
        );
        if (refused !== undefined && refused.code !== 'not_found') unexpected.push(refused);
      }
    });
    try {
      for (let round = 0; round < 12; round += 1) {
        await asAdmin.locations.removeBuilding.mutate({ ...operation(), id });
        await asAdmin.locations.restoreBuilding.mutate({ ...operation(), id });
      }
    } finally {
      archiving = false;
      await Promise.all(saving);
    }
    expect(unexpected).toEqual([]);
    const [found] = await server.services.db.execute<{ deadlocks: string }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    expect(Number(found?.deadlocks)).toBe(0);
  });

  test('deletes a building for good only where nothing hangs below it', async () => {
    const { id } = await addBuilding({ clientName: `Empty ${uuidv7()}` });
    const person = await createPerson(server.services, { role: 'viewer', buildings: [id] });
    expect(await asAdmin.locations.buildingRecords.query({ id })).toEqual([]);
    const removed = await asAdmin.locations.removeBuilding.mutate({ ...operation(), id });
    expect(removed).toEqual({ id, version: 2, outcome: 'deleted' });
    const { db } = server.services;
    expect(await db.select().from(buildings).where(eq(buildings.id, id))).toEqual([]);
    const access = await db.select().from(userLocationAccess).where(eq(userLocationAccess.userId, person.id));
    expect(access).toEqual([]);
    const again = await refusalOf(asAdmin.locations.removeBuilding.mutate({ ...operation(), id }));
    expect(again).toEqual({ code: 'not_found' });
  });

  test('takes a client with its buildings, and gives back exactly those', async () => {
    const { id: clientId } = await createClient(server.services);
    const [before, kept] = [await addBuilding({ clientId, floors: 1 }), await addBuilding({ clientId })];
    await asAdmin.locations.removeBuilding.mutate({ ...operation(), id: before.id });
    expect(await asAdmin.locations.clientRecords.query({ id: clientId })).toEqual([
      { kind: 'building', count: 2 },
      { kind: 'floor', count: 1 },
    ]);
    const removed = await asAdmin.locations.removeClient.mutate({ ...operation(), id: clientId });
    expect(removed.outcome).toBe('archived');
    const refused = await refusalOf(
      asAdmin.locations.restoreBuilding.mutate({ ...operation(), id: before.id }),
    );
    expect(refused.message).toBe(placeMessages.clientArchived);
    const barred = await refusalOf(addBuilding({ clientId }));
    expect(barred.fields).toEqual({ clientId: placeMessages.clientArchived });
    const archived = (await asAdmin.locations.listArchived.query({})).data.rows.map((row) => row.id);
    expect(archived).toEqual(expect.arrayContaining([clientId, before.id]));
    expect(archived).not.toContain(kept.id);
    await asAdmin.locations.restoreClient.mutate({ ...operation(), id: clientId });
    const back = (await asAdmin.locations.listBuildings.query({ clientId })).data.rows;
    expect(back.map((row) => row.id)).toEqual([kept.id]);

    const empty = await createClient(server.services);
    const gone = await asAdmin.locations.removeClient.mutate({ ...operation(), id: empty.id });
    expect(gone.outcome).toBe('deleted');
  });

  test('takes a client of more than a hundred buildings in one event, which reaches those who were given one', async () => {
    const name = `Large ${uuidv7()}`;
    const houses = Array.from({ length: 101 }, (_, n) => `${name},Large House ${n}`);
    await runFile(
      server.url,
      await signInAs(server, await createPerson(server.services, { role: 'admin' })),
      'buildings',
      ['Client,Building Name', ...houses].join('\n'),
    );
    const [client] = (await asAdmin.locations.listClients.query({ search: name })).data.rows;
    const id = client?.id ?? '';
    expect(client?.buildingCount).toBe(101);
    const [house] = (await asAdmin.locations.listBuildings.query({ clientId: id, limit: 1 })).data.rows;
    const asViewer = await clientOf(
      await createPerson(server.services, { role: 'viewer', buildings: [house?.id ?? ''] }),
    );
    await reportIn(house?.id ?? '');
    await server.services.db.execute(sql`select n from sequence_events()`);
    const since = await lastPosition();
    await asAdmin.locations.renameClient.mutate({
      ...operation(),
      id,
      name: { from: name, to: `${name} again` },
    });
    await asAdmin.locations.removeClient.mutate({ ...operation(), id });
    expect((await asViewer.locations.mine.query()).data).toEqual([]);
    await asAdmin.locations.restoreClient.mutate({ ...operation(), id });
    const [mine] = (await asViewer.locations.mine.query()).data;
    expect(mine).toMatchObject({ id: house?.id, clientName: `${name} again` });
    await server.services.db.execute(sql`select n from sequence_events()`);
    const told = await server.services.db
      .select({ entity: events.entity, op: events.op, buildings: events.buildings })
      .from(events)
      .where(and(gt(events.g, since), eq(events.entity, 'building')));
    expect(told.map(({ op, buildings: of }) => [op, of?.length])).toEqual(
      Array.from({ length: 3 }, () => ['bulk', 101]),
    );
  });
});
