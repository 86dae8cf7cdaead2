import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '#server/access/actor.ts';
import { listTasks, readOverview } from '#server/features/tasks/tasks.queries.ts';
import { summariseTasks } from '#shared/features/tasks/task-schedule.ts';
import type { Role } from '#shared/permissions.ts';
import {
  createReader,
  createWatchedDatabase,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyTasks } from '#tests/support/rows/many-tasks.ts';

const BUILDINGS = 2_000;
const PER_BUILDING = 40;
const NOW = new Date('2026-11-22T10:00:00.000Z');
const NEXT_DAY = new Date('2026-11-23T00:00:01.000Z');

let database: WatchedDatabase;
let buildings: string[];
let actor: (role: Role) => Actor;

beforeAll(async () => {
  database = await createWatchedDatabase();
  await database.sql`insert into settings default values`;
  buildings = await createManyTasks(database.sql, {
    perBuilding: PER_BUILDING,
    buildings: BUILDINGS,
    now: NOW,
  });
  actor = await createReader(database, buildings, { oneIn: 66, now: NOW });
}, 120_000);
afterAll(() => database.drop());

const listOf = (buildingId: string, retired = false) =>
  listTasks(database.db, actor('manager'), { buildingId, retired }, NOW);

describe('with eighty thousand tasks', () => {
  test('the cards of some buildings come from the figures of the buildings, and an index says where there is no task', async () => {
    const plans = await database.plansOf(() => readOverview(database.db, actor('manager'), {}, NOW));
    expect(plans).toContain('on building_pulses');
    expect(plans).not.toMatch(/(Seq|Heap) Scan on tasks/);
  });

  // Not tested for an administrator, for whom all tasks are read: then the table is as quick as an index.
  test('just after midnight, the cards of some buildings are counted from an index alone', async () => {
    const plans = await database.plansOf(() => readOverview(database.db, actor('manager'), {}, NEXT_DAY));
    expect(plans).toContain('Index Only Scan using tasks_judged');
    expect(plans).not.toContain('Seq Scan on tasks');
  });

  test.each([false, true])(
    'the list of one building is found through an index (retired: %s)',
    async (retired) => {
      const plans = await database.plansOf(() => listOf(buildings[0] ?? '', retired));
      expect(plans).not.toContain('Seq Scan on tasks');
    },
  );

  test('the cards are what the lists come to', async () => {
    const { summary, buildings: rows } = await readOverview(database.db, actor('manager'), {}, NOW);
    const lists = await Promise.all(rows.map(({ buildingId }) => listOf(buildingId)));
    expect(rows.length).toBe(Math.ceil(BUILDINGS / 66));
    expect(
      summariseTasks(
        lists.flatMap(({ tasks }) => tasks),
        lists[0]?.today ?? '',
      ),
    ).toEqual(summary);
  });
});
