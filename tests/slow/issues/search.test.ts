import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import type { Actor } from '#server/access/actor.ts';
import { countIssues, listIssues } from '#server/features/issues/issues.queries.ts';
import { ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import {
  createReader,
  createWatchedDatabase,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';

// A search among 20,000 issues looks at a bounded number of them, whatever text is typed.

const ISSUES = 20_000;
const BUILDINGS = 20;
/** Twice the number of issues counted for four statuses, because a person may see only half of them. */
const COUNTED_ROWS_MAX = 2 * 4 * COUNTED_MAX;
const NOW = new Date('2026-11-26T09:00:00.000Z');

let database: WatchedDatabase;
let people: Actor[];

beforeAll(async () => {
  database = await createWatchedDatabase();
  const buildings = await createManyIssues(database.sql, { issues: ISSUES, buildings: BUILDINGS, now: NOW });
  const reader = await createReader(database, buildings, { oneIn: 2, now: NOW });
  people = [reader('admin'), reader('manager')];
});
afterAll(() => database.drop());

test.each([
  'l',
  'le',
  'z',
  'q',
  '1',
  '%',
  '.',
  'ü',
  'zzz',
  'tap',
  'the',
  'M1-0042',
  'visit 19999',
  'lamp out',
  'eleva',
])('for "%s" it looks at no more than are counted and shown', async (search) => {
  for (const actor of people) {
    const filter = { search };
    const listed = await database.rowsReadBy(() =>
      listIssues(database.db, actor, { filter, limit: 50 }, NOW),
    );
    expect(listed, `${actor.role} listed`).toBeLessThan(2_000);
    const counted = await database.rowsReadBy(() => countIssues(database.db, actor, filter, NOW));
    expect(counted, `${actor.role} counted`).toBeLessThan(COUNTED_ROWS_MAX);
  }
});

test('it counts each status to a thousand and says where it stopped', async () => {
  for (const [search, pattern] of [
    ['the', '%the%'],
    ['l', 'l%'],
    ['lamp', '%lamp%'],
    ['lift not', '%lift not%'],
  ] as const) {
    const column = search.length < 3 ? buildingIssues.searchKey : buildingIssues.searchText;
    const all = await database.db
      .select({ status: buildingIssues.status, n: sql<number>`count(*)::int` })
      .from(buildingIssues)
      .where(sql`${column} like ${pattern}`)
      .groupBy(buildingIssues.status);
    const of = Object.fromEntries(all.map(({ status, n }) => [status, n]));
    const [admin] = people;
    if (admin === undefined) throw new Error('nobody');
    const counts = await countIssues(database.db, admin, { search }, NOW);
    const shown = Object.fromEntries(
      ISSUE_STATUSES.map((status) => [status, Math.min(COUNTED_MAX, of[status] ?? 0)]),
    );
    expect(counts.byStatus).toEqual(shown);
    expect(counts.leastOf).toEqual(ISSUE_STATUSES.filter((status) => (of[status] ?? 0) > COUNTED_MAX));
    expect(counts.matching).toBe(Object.values(shown).reduce((sum, n) => sum + n, 0));
  }
});
