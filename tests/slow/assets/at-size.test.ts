import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '#server/access/actor.ts';
import { assetsForExport, countAssets, listAssets } from '#server/features/assets/assets.queries.ts';
import type { AssetFilter, AssetOrder, AssetPage } from '#shared/features/assets/assets.ts';
import type { Role } from '#shared/permissions.ts';
import {
  createReader,
  createWatchedDatabase,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyAssets } from '#tests/support/rows/many-assets.ts';

const ASSETS = 100_000;
const BUILDINGS = 2_000;
const NOW = new Date('2026-11-18T10:00:00.000Z');
const BY_NAME: AssetOrder = { sort: 'name', direction: 'asc' };

let database: WatchedDatabase;
let buildings: string[];
let actor: (role: Role) => Actor;
const plansOf: WatchedDatabase['plansOf'] = (read) => database.plansOf(read);

beforeAll(async () => {
  database = await createWatchedDatabase();
  const size = { assets: ASSETS, buildings: BUILDINGS, now: NOW };
  buildings = await createManyAssets(database.sql, size);
  actor = await createReader(database, buildings, { oneIn: 66, now: NOW });
}, 120_000);
afterAll(() => database.drop());

const list = (role: Role, filter: AssetFilter, order = BY_NAME, cursor?: AssetPage['nextCursor']) =>
  listAssets(database.db, actor(role), { filter, order, cursor: cursor ?? undefined, limit: 50 });

describe('with a hundred thousand assets', () => {
  test.for([
    ['name', 'asc', 'assets_name'],
    ['name', 'desc', 'assets_name'],
    ['type', 'asc', 'assets_type'],
    ['type', 'desc', 'assets_type'],
    ['lastVisit', 'asc', 'assets_last_visit'],
    ['lastVisit', 'desc', 'assets_last_visit'],
    ['building', 'asc', 'buildings_name'],
    ['building', 'desc', 'buildings_name'],
  ] as const)(
    'all of them by %s, %s, are read from an index in its order, on every page',
    async ([sort, direction, index]) => {
      const order: AssetOrder = { sort, direction };
      let cursor: AssetPage['nextCursor'] = null;
      const plans = await plansOf(async () => {
        for (let page = 0; page < 3; page += 1) cursor = (await list('admin', {}, order, cursor)).nextCursor;
      });
      expect(plans).toContain(index);
      expect(plans).not.toContain('Seq Scan on assets');
    },
  );

  test.for([
    ['one building', 'admin', (id: string) => ({ buildingId: id }), 'assets_building_'],
    ['one type', 'admin', () => ({ type: 'panel' }), 'assets_type'],
    ['the retired', 'admin', () => ({ status: 'retired' }), 'assets_retired'],
    ['my sites', 'manager', () => ({}), 'user_location_access'],
    ['a common text', 'admin', () => ({ search: 'call point' }), 'assets_name'],
    ['a rare text', 'admin', () => ({ search: 'survey 99999' }), 'assets_search'],
    ['a text that stands late', 'admin', () => ({ search: 'water outlet' }), 'assets_search'],
  ] as const)('%s is found through an index', async ([, role, filterOf, index]) => {
    const filter: AssetFilter = filterOf(buildings[7] ?? '');
    const plans = await plansOf(() => list(role, filter));
    expect(plans).toContain(index);
    expect(plans).not.toContain('Seq Scan on assets');
  });

  test.for([
    ['manager', {}, 'name', 'desc'],
    ['manager', {}, 'type', 'asc'],
    ['manager', {}, 'building', 'asc'],
    ['manager', {}, 'lastVisit', 'desc'],
    ['admin', { type: 'panel' }, 'lastVisit', 'desc'],
    ['admin', { type: 'panel' }, 'building', 'asc'],
    ['admin', { status: 'retired' }, 'building', 'asc'],
    ['admin', { search: 'nothing says this' }, 'name', 'asc'],
  ] as const)(
    'a %s reads %j by %s, %s, without reading every asset',
    async ([role, filter, sort, direction]) => {
      const plans = await plansOf(() => list(role, filter, { sort, direction }));
      expect(plans).not.toContain('Seq Scan on assets');
    },
  );

  test.for([
    ['manager', {}],
    ['admin', { type: 'panel' }],
    ['admin', { search: 'survey 99999' }],
  ] as const)('a %s counts %j', async ([role, filter]) => {
    const plans = await plansOf(() => countAssets(database.db, actor(role), filter));
    expect(plans).not.toContain('Seq Scan on assets');
  });

  test('an export reads every asset in use once, in order', async () => {
    const seen = new Set<string>();
    let rows = 0;
    for await (const page of assetsForExport(database.db, actor('manager'), {})) {
      rows += page.length;
      for (const { id } of page) seen.add(id);
    }
    const { total } = await countAssets(database.db, actor('manager'), {});
    expect(rows).toBe(total);
    expect(seen.size).toBe(total);
  });
});
