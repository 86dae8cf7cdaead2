import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tasks as taskTable } from '#db/schema/tasks.ts';
import { DAY_MS } from '#shared/dates.ts';
import { BUILDING_TASKS_MAX, RETIRED_SHOWN_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { tasksOf } from '#tests/support/screens/tasks-screen.ts';
import { refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';

// Fifty calls at once about one task, or one building.

const AT_ONCE = 50;
const clock = testClock('2026-11-22T12:00:00.000Z');

let setting: LiveSetting;
let site: TestBuilding;
let client: TestClient;
let tasks: ReturnType<typeof tasksOf>;

beforeAll(async () => {
  setting = await createLiveSetting({ clock, timedJobs: { lookEveryMs: DAY_MS } });
});
afterAll(() => setting.end());
beforeEach(async () => {
  site = await createBuilding(setting.server.services);
  ({ client } = await setting.someone('manager', [site]));
  tasks = tasksOf(client, site.id, clock);
});

const operation = () => ({ operationId: uuidv7() });
const kinds = async (id: string) => (await client.tasks.record.query({ id })).data.map(({ kind }) => kind);
const count = (kind: string, all: readonly string[]) => all.filter((each) => each === kind).length;
const all = <T>(call: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => call(index)));
const fulfilled = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length;
const day = (index: number) => new Date(Date.parse('2026-12-01') + index * DAY_MS).toISOString().slice(0, 10);

describe('fifty at once', () => {
  test('who move the same due date to fifty days: one has moved it, the others are asked', async () => {
    const task = await tasks.add('weekly test');
    const outcomes = await all((index) => tasks.schedule(task, day(index)));
    expect(fulfilled(outcomes)).toBe(1);
    expect(count('scheduled', await kinds(task.id))).toBe(1);
  });

  test('who undo the same completion: one line', async () => {
    const made = await tasks.add('weekly test');
    await tasks.complete(made);
    const { completionId } = await tasks.get(made.id);
    const undo = () =>
      client.tasks.undo.mutate({ ...operation(), id: made.id, lineId: completionId ?? '', reason: 'Wrong' });
    expect(fulfilled(await all(undo))).toBe(AT_ONCE);
    expect(await kinds(made.id)).toEqual(['created', 'completed', 'undone']);
    expect((await tasks.get(made.id)).completedOn).toBeNull();
  });

  test('who retire and complete: the task is retired, once, and completed before or not at all', async () => {
    const task = await tasks.add('weekly test');
    await all((index) => (index % 2 === 0 ? tasks.retire(task) : tasks.complete(task)));
    const recorded = await kinds(task.id);
    expect(count('retired', recorded)).toBe(1);
    expect(recorded.at(-1)).toBe('retired');
    expect(count('completed', recorded)).toBeLessThanOrEqual(1);
  });

  test('who mark and complete: no completion ends a mark that it has not seen', async () => {
    const task = await tasks.add('weekly test');
    await all((index) => (index === 0 ? tasks.mark(task) : tasks.complete(task)));
    expect((await tasks.get(task.id)).markedOn).not.toBeNull();
  });

  test('who restore a task and apply its template: it is in use once, and nothing fails', async () => {
    const templateIds = ['eicr-commercial'];
    const apply = () =>
      client.tasks.applyTemplates.mutate({ ...operation(), buildingId: site.id, templateIds });
    const inUse = and(eq(taskTable.buildingId, site.id), isNull(taskTable.retiredAt));
    await apply();
    const [made] = (await client.tasks.list.query({ buildingId: site.id })).data.tasks;
    if (made === undefined) throw new Error('no task');
    await tasks.retire(made);
    const restore = () => client.tasks.restore.mutate({ ...operation(), id: made.id });
    const outcomes = await all<unknown>((index) => (index % 2 === 0 ? restore() : apply()));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const refused of refusals)
      expect(await refusalOf(Promise.reject(refused))).toMatchObject({
        message: taskMessages.duplicateInUse,
      });
    expect(await setting.server.services.db.$count(taskTable, inUse)).toBe(1);
  });

  test('who add tasks to a building with ten places left: ten are added', async () => {
    const { db } = setting.server.services;
    const sample = await tasks.add('sample');
    const [stored] = await db.select().from(taskTable).where(eq(taskTable.id, sample.id));
    if (stored === undefined) throw new Error('no task');
    const more = BUILDING_TASKS_MAX - 11;
    const rows = Array.from({ length: more }, (_, index) => ({
      ...stored,
      id: uuidv7(),
      taskNumber: `${site.code}-X${index}`,
    }));
    await db.insert(taskTable).values(rows);
    const outcomes = await all(() => tasks.add('one more'));
    expect(fulfilled(outcomes)).toBe(10);
    const inUse = and(eq(taskTable.buildingId, site.id), isNull(taskTable.retiredAt));
    expect(await db.$count(taskTable, inUse)).toBe(BUILDING_TASKS_MAX);
    expect(await refusalOf(tasks.add('one more'))).toMatchObject({
      message: taskMessages.tooMany(BUILDING_TASKS_MAX),
    });

    // The list of the retired stays bounded, however many there are.
    const retired = Array.from({ length: RETIRED_SHOWN_MAX + 20 }, (_, index) => ({
      ...stored,
      id: uuidv7(),
      taskNumber: `${site.code}-Y${index}`,
      retiredAt: new Date(clock.now().getTime() - index * 60_000).toISOString(),
      retireReason: 'Sold',
    }));
    await db.insert(taskTable).values(retired);
    const { data } = await client.tasks.list.query({ buildingId: site.id, retired: true });
    expect(data.omitted).toBe(20);
    const shown = new Set(data.tasks.map(({ id }) => id));
    expect(retired.map(({ id }) => shown.has(id))).toEqual(
      retired.map((_, index) => index < RETIRED_SHOWN_MAX),
    );
  });
});
