import { afterAll, beforeAll, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import type { Actor } from '#server/access/actor.ts';
import { countAssets, listAssets } from '#server/features/assets/assets.queries.ts';
import { ASSET_SORTS, SORT_DIRECTIONS } from '#shared/features/assets/assets.vocabulary.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import {
  createReader,
  createWatchedDatabase,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyAssets } from '#tests/support/rows/many-assets.ts';

// A search among 20,000 assets looks at a bounded number of them, whatever text is typed.

const ASSETS = 20_000;
const BUILDINGS = 20;
/** Bound of rows for a list: if few assets match, all of them, sorted; if many do, those of a walk, with their buildings. */
const LISTED_MAX = 8_000;
/** Twice the number of assets that are counted, because a person may see only half of them. */
const COUNTED_ROWS_MAX = 2 * COUNTED_MAX + 1_000;
const NOW = new Date('2026-11-26T09:00:00.000Z');

let database: WatchedDatabase;
let people: Actor[];

beforeAll(async () => {
  database = await createWatchedDatabase();
  const buildings = await createManyAssets(database.sql, { assets: ASSETS, buildings: BUILDINGS, now: NOW });
  const reader = await createReader(database, buildings, { oneIn: 2, now: NOW });
  people = [reader('admin'), reader('manager')];
});
afterAll(() => database.drop());

test.each(['e', 'em', 'z', 'q', '1', '%', '.', 'ü', 'zzz', 'light', 'room', 'boiler'])(
  'for "%s" it looks at no more than are counted and walked',
  async (search) => {
    for (const actor of people) {
      for (const sort of ASSET_SORTS) {
        for (const direction of SORT_DIRECTIONS) {
          const input = { filter: { search }, order: { sort, direction }, limit: 50 };
          const rows = await database.rowsReadBy(() => listAssets(database.db, actor, input));
          expect(rows, `${actor.role} ${sort} ${direction}`).toBeLessThan(
            // In the order of buildings, a person's buildings may be at the far end; then all matching assets are sorted.
            sort === 'building' ? LISTED_MAX + ASSETS : LISTED_MAX,
          );
        }
      }
      // The total of the visible assets does not depend on the typed text.
      const total = await database.rowsReadBy(() => countAssets(database.db, actor, {}));
      const counted = await database.rowsReadBy(() => countAssets(database.db, actor, { search }));
      expect(counted - total, `${actor.role} counted`).toBeLessThan(COUNTED_ROWS_MAX);
    }
  },
);

test('it counts to a thousand and says that it stopped', async () => {
  const [admin] = people;
  if (admin === undefined) throw new Error('nobody');
  const all = await database.db.select({ searchText: assets.searchText }).from(assets);
  for (const search of ['light', 'zzz', 'e', 'boiler']) {
    const n = all.filter(({ searchText }) =>
      search.length < 3 ? searchText.startsWith(search) : searchText.includes(search),
    ).length;
    const counts = await countAssets(database.db, admin, { search, status: 'all' });
    expect(counts).toEqual({
      total: ASSETS,
      matching: Math.min(n, COUNTED_MAX),
      matchingIsLeast: n > COUNTED_MAX,
    });
  }
});
