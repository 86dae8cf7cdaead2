import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { floors } from '#db/schema/places.ts';
import { insertAssets } from '#server/features/assets/assets.writes.ts';
import { compareAssets, matchesAssetFilter } from '#shared/features/assets/asset-filter.ts';
import { effectiveType } from '#shared/features/assets/asset-types.ts';
import type { Asset, AssetFilter, AssetOrder, CreateAssetInput } from '#shared/features/assets/assets.ts';
import {
  ASSET_FREQUENCIES,
  ASSET_SORTS,
  ASSET_STATUSES,
  ASSET_TYPES,
  SORT_DIRECTIONS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { allPages } from '#tests/support/lists/list-setting.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const NOW = '2026-11-18T10:00:00.000Z';

let database: TestDatabase;
let server: TestServer;
let building: TestBuilding;
let other: TestBuilding;
let floor: string;
let otherFloor: string;
let admin: TestClient;
let manager: TestClient;
let colleague: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { clock: testClock(NOW) });
  building = await createBuilding(server.services, { name: 'Harbour House' });
  other = await createBuilding(server.services, { name: 'Mill Lane' });
  [floor, otherFloor] = [await createFloor(building.id), await createFloor(other.id)];
  const client = async (role: string, ...buildings: string[]) =>
    createTestClient(
      server.url,
      await signInAs(server, await createPerson(server.services, { role, buildings })),
    );
  admin = await client('admin');
  manager = await client('manager', building.id);
  colleague = await client('manager', building.id);
  stranger = await client('manager', other.id);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function createFloor(buildingId: string): Promise<string> {
  const id = uuidv7();
  await server.services.db
    .insert(floors)
    .values({ id, buildingId, level: 0, name: 'Ground Floor', isBasement: false, createdAt: NOW });
  return id;
}

function newAsset(values: Partial<CreateAssetInput> = {}) {
  return {
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: building.id,
    name: 'Emergency Light 1',
    description: 'By the door',
    ...values,
  };
}

async function make(values: Partial<CreateAssetInput> = {}, client = manager): Promise<Asset> {
  const { id } = await client.assets.create.mutate(newAsset(values));
  return (await client.assets.get.query({ id })).data;
}

const read = async (id: string) => (await manager.assets.get.query({ id })).data;

describe('adding an asset', () => {
  test('fills in the defaults', async () => {
    const asset = await make();
    expect(asset).toMatchObject({
      type: 'asset',
      outletKind: null,
      quantity: 1,
      lastVisitDate: '2026-11-18',
      frequency: 'annual',
      floorId: null,
      floorName: null,
      roomName: 'General',
      location: 'General',
      buildingName: 'Harbour House',
      retiredAt: null,
      version: 1,
    });
    expect(effectiveType(asset)).toBe('emergency_light');
  });

  test('knows where it stands, and takes a blank room for the general one', async () => {
    expect(await make({ floorId: floor, roomName: '  ' })).toMatchObject({
      floorName: 'Ground Floor',
      location: 'Ground Floor, General',
    });
    expect(await make({ lastVisitDate: null })).toMatchObject({ lastVisitDate: null });
  });

  test('takes no last visit in the future, also when it is edited', async () => {
    const refusal = await refusalOf(manager.assets.create.mutate(newAsset({ lastVisitDate: '2026-11-19' })));
    expect(refusal).toMatchObject({ fields: { lastVisitDate: assetMessages.lastVisitFuture } });
    const { id } = await make({});
    const changes = { lastVisitDate: { from: '2026-11-18', to: '2062-11-26' } };
    expect(
      await refusalOf(manager.assets.update.mutate({ operationId: uuidv7(), id, changes })),
    ).toMatchObject({ fields: { 'changes.lastVisitDate.to': assetMessages.lastVisitFuture } });
    expect((await read(id)).lastVisitDate).toBe('2026-11-18');
  });

  test('asks for name, description and building in the words of the product', async () => {
    const refusal = await refusalOf(
      manager.assets.create.mutate(newAsset({ name: '   ', description: '', buildingId: '' })),
    );
    expect(refusal).toEqual({
      code: 'invalid',
      fields: {
        name: 'Asset name is required',
        description: 'Description is required',
        buildingId: 'Building is required',
      },
    });
  });

  test('refuses a floor of another building, and stores nothing', async () => {
    const input = newAsset({ floorId: otherFloor });
    const refusal = await refusalOf(manager.assets.create.mutate(input));
    expect(refusal).toEqual({ code: 'invalid', fields: { floorId: assetMessages.floorUnknown } });
    expect((await refusalOf(manager.assets.get.query({ id: input.id }))).code).toBe('not_found');
    expect(await server.services.db.select().from(assets).where(eq(assets.id, input.id))).toEqual([]);
  });

  test('the database itself refuses a floor of another building', async () => {
    const { id } = await make();
    await expect(
      server.services.db
        .update(assetLocations)
        .set({ floorId: otherFloor })
        .where(eq(assetLocations.assetId, id)),
    ).rejects.toThrow();
  });

  test('refuses a building that the person may not see', async () => {
    const refusal = await refusalOf(manager.assets.create.mutate(newAsset({ buildingId: other.id })));
    expect(refusal.code).toBe('not_found');
  });

  test('happens once, however often it arrives', async () => {
    const input = newAsset();
    const answers = await Promise.all([1, 2, 3].map(() => manager.assets.create.mutate(input)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const again = await refusalOf(manager.assets.create.mutate({ ...input, operationId: uuidv7() }));
    expect(again.code).toBe('duplicate');
    const strangers = newAsset({ id: input.id, buildingId: other.id });
    expect((await refusalOf(stranger.assets.create.mutate(strangers))).code).toBe('not_found');
  });
});

describe('duplicating', () => {
  test('makes a copy at the same place, called after the original', async () => {
    const source = await make({
      name: 'Water Outlet 3',
      floorId: floor,
      roomName: 'Kitchen',
      outletKind: 'hot',
    });
    const { id } = await manager.assets.duplicate.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      sourceId: source.id,
    });
    expect(await read(id)).toMatchObject({
      name: 'Copy of Water Outlet 3',
      floorId: floor,
      roomName: 'Kitchen',
      outletKind: 'hot',
    });
  });

  test('of an asset on an archived floor keeps building and room, without the floor', async () => {
    const source = await make({ floorId: floor, roomName: 'Kitchen' });
    const setArchived = (archivedAt: string | null) =>
      server.services.db.update(floors).set({ archivedAt }).where(eq(floors.id, floor));
    await setArchived('2026-11-20T09:00:00.000Z');
    const { id } = await manager.assets.duplicate
      .mutate({ operationId: uuidv7(), id: uuidv7(), sourceId: source.id })
      .finally(() => setArchived(null));
    expect(await read(id)).toMatchObject({
      buildingId: building.id,
      floorId: null,
      floorName: null,
      roomName: 'Kitchen',
      location: 'Kitchen',
    });
  });

  test('takes a name, and holds a long one to what a name may be', async () => {
    const source = await make({ name: 'x'.repeat(200) });
    const copy = (name?: string) =>
      manager.assets.duplicate.mutate({
        operationId: uuidv7(),
        id: uuidv7(),
        sourceId: source.id,
        ...(name === undefined ? {} : { name }),
      });
    expect((await read((await copy()).id)).name).toHaveLength(200);
    expect((await read((await copy('Another')).id)).name).toBe('Another');
  });

  test('of an asset that the person may not see is refused', async () => {
    const source = await make();
    const refusal = await refusalOf(
      stranger.assets.duplicate.mutate({ operationId: uuidv7(), id: uuidv7(), sourceId: source.id }),
    );
    expect(refusal.code).toBe('not_found');
  });
});

describe('editing', () => {
  test('two people who touch different fields both win', async () => {
    const { id } = await make();
    await manager.assets.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { name: { from: 'Emergency Light 1', to: 'Emergency Light 2' } },
    });
    await colleague.assets.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { floorId: { from: null, to: floor }, roomName: { from: 'General', to: 'Lobby' } },
    });
    expect(await read(id)).toMatchObject({
      name: 'Emergency Light 2',
      location: 'Ground Floor, Lobby',
      version: 3,
    });
  });

  test('of two people who change the same field the second is asked', async () => {
    const { id } = await make();
    const change = (client: TestClient, to: number) =>
      client.assets.update.mutate({ operationId: uuidv7(), id, changes: { quantity: { from: 1, to } } });
    await change(manager, 2);
    expect(await refusalOf(change(colleague, 3))).toEqual({
      code: 'conflict',
      fields: { quantity: 2 },
      version: 2,
    });
    expect((await read(id)).quantity).toBe(2);
  });

  test('refuses a floor of another building', async () => {
    const { id } = await make();
    const refusal = await refusalOf(
      manager.assets.update.mutate({
        operationId: uuidv7(),
        id,
        changes: { floorId: { from: null, to: otherFloor } },
      }),
    );
    expect(refusal.fields).toEqual({ 'changes.floorId.to': assetMessages.floorUnknown });
  });
});

describe('retiring', () => {
  test('takes an asset out of the list, keeps it, and brings it back', async () => {
    const asset = await make({ name: 'Panel to retire', type: 'panel' });
    const listed = async (filter: AssetFilter) =>
      (await manager.assets.list.query({ filter })).data.rows.some(({ id }) => id === asset.id);
    await manager.assets.retire.mutate({ operationId: uuidv7(), id: asset.id });
    expect(await listed({})).toBe(false);
    expect(await listed({ status: 'retired' })).toBe(true);
    const refusal = await refusalOf(
      manager.assets.update.mutate({
        operationId: uuidv7(),
        id: asset.id,
        changes: { quantity: { from: 1, to: 2 } },
      }),
    );
    expect(refusal.message).toBe(assetMessages.retiredNotEdited);
    await manager.assets.restore.mutate({ operationId: uuidv7(), id: asset.id });
    expect(await listed({})).toBe(true);
    await expect
      .poll(async () =>
        (await manager.assets.history.query({ id: asset.id })).data.entries.map(({ command }) => command),
      )
      .toEqual(['assets.restore', 'assets.retire', 'assets.create']);
  });
});

describe('who sees what', () => {
  test('lists, counts, selections and histories are those of one’s own buildings', async () => {
    const theirs = await make({ name: 'Of the mill', buildingId: other.id }, stranger);
    const mine = await make({ name: 'Of the harbour' });
    const ids = [theirs.id, mine.id];
    const { data } = await manager.assets.list.query({ filter: { status: 'all' }, limit: 200 });
    expect(data.rows.every(({ buildingId }) => buildingId === building.id)).toBe(true);
    expect((await manager.assets.some.query({ ids })).data.map(({ id }) => id)).toEqual([mine.id]);
    expect((await refusalOf(manager.assets.history.query({ id: theirs.id }))).code).toBe('not_found');
    const counted = (await manager.assets.counts.query({ filter: { status: 'all' } })).data;
    expect(counted).toEqual({ total: data.rows.length, matching: data.rows.length, matchingIsLeast: false });
    const all = (await admin.assets.list.query({ filter: { status: 'all' }, limit: 200 })).data.rows;
    expect(ids.every((id) => all.some((row) => row.id === id))).toBe(true);
  });
});

describe('the order of the list', () => {
  const text = fc.oneof(
    fc.constantFrom('Light', 'light', 'LIGHT', 'Lamp', 'Émile', 'é', 'ﬁ', '𝒜', 'ÄÖ', 'water outlet hot', 'z'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  );
  const row = fc.record({
    name: text.filter((value) => value.trim() !== '' && !value.includes('\u0000')),
    type: fc.constantFrom(...ASSET_TYPES),
    frequency: fc.constantFrom(...ASSET_FREQUENCIES),
    inOther: fc.boolean(),
    onFloor: fc.boolean(),
    retired: fc.boolean(),
    lastVisitDate: fc.option(fc.constantFrom('2026-01-01', '2026-11-18', '1999-12-31')),
    roomName: fc.constantFrom('General', 'Plant Room', 'İstanbul'),
  });

  test('page by page, is the same in SQL and in the browser, for each order and filter', async () => {
    const { db } = server.services;
    const rows = fc.sample(row, 120);
    await db.transaction(async (tx) => {
      for (const { inOther, onFloor, retired, ...fields } of rows) {
        const at = inOther ? other : building;
        const id = uuidv7();
        const place = onFloor
          ? { floorId: inOther ? otherFloor : floor, floorName: 'Ground Floor' }
          : { floorId: null, floorName: null };
        const values = { ...fields, ...place, id, description: `About ${fields.name}`, outletKind: null };
        const named = { quantity: 1, buildingId: at.id, buildingName: at.name };
        await insertAssets(tx, [{ ...values, ...named }], NOW);
        if (retired) await tx.update(assets).set({ retiredAt: NOW }).where(eq(assets.id, id));
      }
    });
    const everything = await pages({ status: 'all' }, { sort: 'name', direction: 'asc' }, 200);
    expect(everything.length).toBeGreaterThanOrEqual(120);
    const filters: AssetFilter[] = [
      ...ASSET_STATUSES.map((status) => ({ status })),
      { status: 'all', type: 'water_outlet' },
      { status: 'all', buildingId: building.id, floorId: floor },
      { buildingId: other.id.toUpperCase() },
      { status: 'all', search: 'LIGHT' },
      { status: 'all', search: 'i̇s' },
      { status: 'all', search: 'ground floor, p' },
      { status: 'all', search: '%' },
    ];
    for (const sort of ASSET_SORTS) {
      for (const direction of SORT_DIRECTIONS) {
        const order = { sort, direction };
        for (const filter of filters) {
          const found = await pages(filter, order, 23);
          const wanted = everything
            .filter((asset) => matchesAssetFilter(filter, asset))
            .sort((a, b) => compareAssets(order, a, b));
          expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
          const counts = (await admin.assets.counts.query({ filter })).data;
          expect(counts.matching).toBe(wanted.length);
        }
      }
    }
  }, 60_000);

  function pages(filter: AssetFilter, order: AssetOrder, limit: number): Promise<Asset[]> {
    return allPages(admin.assets.list.query, { filter, order, limit });
  }

  test('a cursor that belongs to another order is refused, not misread', async () => {
    const bad = [
      { sort: 'building', keys: ['a'] },
      { sort: 'building', keys: ['a', 'b', 'c'] },
      { sort: 'lastVisit', keys: ['2026-02-31', 'a'] },
    ] as const;
    for (const { sort, keys } of bad) {
      const refusal = await refusalOf(
        manager.assets.list.query({
          filter: {},
          order: { sort, direction: 'asc' },
          cursor: { keys: [...keys], id: uuidv7() },
        }),
      );
      expect(refusal.code).toBe('invalid');
    }
  });
});
