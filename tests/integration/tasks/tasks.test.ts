import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settings } from '#db/schema/issues.ts';
import { taskLapses, taskLines } from '#db/schema/tasks.ts';
import { movePulses } from '#server/features/pulse/move.job.ts';
import { lapseJob } from '#server/features/tasks/lapse.job.ts';
import { readLines, recordOf } from '#server/features/tasks/task-lines.ts';
import { runIfDue } from '#server/kernel/timed-jobs.ts';
import { DAY_MS } from '#shared/dates.ts';
import { matchesTaskFilter } from '#shared/features/tasks/task-filter.ts';
import { readRecord } from '#shared/features/tasks/task-record.ts';
import { statusOn, summariseTasks, TASK_STATUSES } from '#shared/features/tasks/task-schedule.ts';
import type { Task, TaskFilter } from '#shared/features/tasks/tasks.ts';
import { TASK_DATE_RANGES, TASK_FREQUENCIES } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer } from '#tests/support/server/server.ts';
import { bringUnsent, unsentFileOf } from '#tests/support/server/unsent.ts';

const TODAY = '2026-11-22';
const NOON = `${TODAY}T12:00:00.000Z`;
const clock = testClock(NOON);
/** So rare that the servers do not run timed jobs before the test does. */
const LOOKS_ONCE = { lookEveryMs: DAY_MS };

let setting: LiveSetting;
let site: TestBuilding;
let manager: SignedInPerson;
let client: TestClient;

beforeAll(async () => {
  setting = await createLiveSetting({ clock, timedJobs: LOOKS_ONCE });
});
afterAll(() => setting.end());
beforeEach(async () => {
  clock.set(NOON);
  site = await createBuilding(setting.server.services);
  manager = await setting.someone('manager', [site]);
  client = manager.client;
});
afterEach(() => setting.closeStreams());

const operation = () => ({ operationId: uuidv7() });
type Created = Parameters<TestClient['tasks']['create']['mutate']>[0];

async function add(values: Partial<Created> = {}, by = client): Promise<Task> {
  const { id } = await by.tasks.create.mutate({
    ...operation(),
    id: uuidv7(),
    buildingId: site.id,
    complianceSystem: 'Fire Alarm',
    taskDescription: 'Service',
    frequency: 'weekly',
    ...values,
  });
  return get(id, by);
}
const get = async (id: string, by = client) => (await by.tasks.get.query({ id })).data;
const record = async (id: string) => (await client.tasks.record.query({ id })).data;
const complete = ({ id, occurrence }: Task, day = TODAY, by = client, more: object = {}) =>
  by.tasks.complete.mutate({ ...operation(), id, occurrence, day, ...more });
const schedule = ({ id, due }: Task, to: string, by = client) =>
  by.tasks.schedule.mutate({ ...operation(), id, due: { from: due, to } });
const mark = ({ id }: Task, reason = 'A fault') => client.tasks.mark.mutate({ ...operation(), id, reason });
const retire = ({ id }: Task) => client.tasks.retire.mutate({ ...operation(), id, reason: 'Sold' });
const undo = ({ id }: Task, lineId: string | null) =>
  client.tasks.undo.mutate({ ...operation(), id, lineId: lineId ?? '', reason: 'Wrong task' });
const datesOf = ({ anchor, gridDay, due, coveredUntil, completedOn, markedOn }: Task) => ({
  ...{ anchor, gridDay, due, coveredUntil, completedOn, markedOn },
});

describe('a task', () => {
  test('is due today and not compliant, has the next number, and is in the list of its building', async () => {
    const { taskNumber } = await client.tasks.nextNumber.query({ buildingId: site.id });
    const task = await add();
    expect(task).toMatchObject({ taskNumber, due: TODAY, coveredUntil: null, occurrence: 1 });
    expect(taskNumber).toBe(`${site.code}-T0001`);
    const { data } = await client.tasks.list.query({ buildingId: site.id });
    expect(data).toEqual({ today: TODAY, tasks: [task], omitted: 0, changesAt: '2026-11-23T00:00:00.000Z' });
  });

  test('takes its number inside the transaction: ten at once get ten numbers without a gap', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => add()));
    const numbers = made.map(({ taskNumber }) => Number(taskNumber.slice(-4)));
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.for([
    [{ complianceSystem: ' ' }, { complianceSystem: taskMessages.systemRequired }],
    [{ taskDescription: '' }, { taskDescription: taskMessages.descriptionRequired }],
    [{ frequency: 'fortnightly' }, { frequency: taskMessages.frequencyUnknown }],
    [{ frequency: '' }, { frequency: taskMessages.frequencyRequired }],
    [{ buildingId: '' }, { buildingId: taskMessages.locationRequired }],
    [{ lastDone: '2026-11-23' }, { lastDone: taskMessages.completionFuture }],
    [{ lastDone: '1990-01-01' }, { lastDone: taskMessages.completionTooOld }],
    [{ responsibleId: uuidv7() }, { responsibleId: taskMessages.responsibleUnknown }],
  ] as const)('is refused at the field: %j', async ([values, fields]) => {
    expect(await refusalOf(add(values))).toMatchObject({ code: 'invalid', fields });
    expect((await client.tasks.list.query({ buildingId: site.id })).data.tasks).toEqual([]);
    expect((await client.tasks.nextNumber.query({ buildingId: site.id })).taskNumber).toMatch(/T0001$/);
  });

  test('may be due at any interval', async () => {
    expect(await add({ frequency: 'P1M' })).toMatchObject({ frequency: 'monthly' });
    expect(await add({ frequency: 'P14M', lastDone: '2026-01-31' })).toMatchObject({ due: '2027-03-31' });
    const monday = await add({ frequency: 'P1M/first-1' });
    await complete(monday);
    expect(await get(monday.id)).toMatchObject({ due: '2026-12-07' });
  });

  test('of a building that one may not see does not exist', async () => {
    const task = await add();
    const stranger = await setting.someone('manager', [setting.there]);
    expect((await refusalOf(stranger.client.tasks.get.query({ id: task.id }))).code).toBe('not_found');
    expect((await refusalOf(complete(task, TODAY, stranger.client))).code).toBe('not_found');
    expect((await refusalOf(add({ id: task.id, buildingId: setting.there.id }, stranger.client))).code).toBe(
      'not_found',
    );
  });

  test('is edited field by field, and asked about where another has changed the same', async () => {
    const task = await add();
    const edit = (from: string, to: string) =>
      client.tasks.update.mutate({
        ...operation(),
        id: task.id,
        changes: { responsiblePerson: { from, to } },
      });
    await edit('', 'Ann');
    expect(await refusalOf(edit('', 'Bob'))).toMatchObject({
      code: 'conflict',
      fields: { responsiblePerson: 'Ann' },
    });
    expect((await record(task.id)).map(({ kind, notes }) => [kind, notes])).toEqual([
      ['created', ''],
      ['reassigned', 'Ann'],
    ]);
  });
});

describe('the cards', () => {
  test('count each by its own rule, in the overview as in the list', async () => {
    clock.set('2026-11-21T12:00:00.000Z');
    await add({ taskDescription: 'C, never done' });
    clock.set(NOON);
    await add({ taskDescription: 'A', lastDone: '2026-11-20' });
    await add({ taskDescription: 'B, new' });
    await add({ taskDescription: 'D', frequency: 'monthly', lastDone: '2026-10-30' });
    await mark(await add({ taskDescription: 'E', frequency: 'biannually', lastDone: '2026-07-10' }));
    await retire(await add({ taskDescription: 'F' }));
    await schedule(await add({ taskDescription: 'G', lastDone: '2026-11-01' }), '2026-11-24');

    const summary = { compliant: 2, nonCompliant: 4, overdue: 1, dueThisWeek: 3 };
    const { data } = await client.tasks.overview.query();
    expect(data).toMatchObject({ today: TODAY, summary });
    expect(data.buildings).toEqual([
      { buildingId: site.id, buildingName: site.name, withoutTasks: false, ...summary },
    ]);
    const list = (await client.tasks.list.query({ buildingId: site.id })).data;
    expect(summariseTasks(list.tasks, list.today)).toEqual(summary);
  });

  test('put the worst building first, and leave out those that one may not see', async () => {
    const second = await createBuilding(setting.server.services, { name: 'Second' });
    const both = await setting.someone('viewer', [site, second]);
    await add({ lastDone: '2026-11-20' });
    await add({ buildingId: second.id }, setting.admin.client);
    const { data } = await both.client.tasks.overview.query();
    expect(data.buildings.map(({ buildingName }) => buildingName)).toEqual(['Second', site.name]);
    expect(data.summary).toEqual({ compliant: 1, nonCompliant: 1, overdue: 0, dueThisWeek: 2 });
    expect((await client.tasks.overview.query()).data.buildings).toHaveLength(1);
  });

  test('have a row for a building without tasks, before those where all is compliant, by day and just after midnight', async () => {
    const { services } = setting.server;
    const [late, none] = [
      await createBuilding(services, { name: 'Late' }),
      await createBuilding(services, { name: 'None' }),
    ];
    const all = await setting.someone('manager', [site, late, none]);
    await add({ lastDone: '2026-11-20' });
    await add({ buildingId: late.id, lastDone: '2026-10-01' }, all.client);
    const rows = async (filter = {}) =>
      (await all.client.tasks.overview.query(filter)).data.buildings.map(({ buildingName, withoutTasks }) => [
        buildingName,
        withoutTasks,
      ]);
    const expected = [
      ['Late', false],
      ['None', true],
      [site.name, false],
    ];
    await movePulses(services, clock.now());
    expect(await rows()).toEqual(expected);
    expect(await rows({ range: 'all', search: ' ' })).toEqual(expected);
    expect(await rows({ search: 'fire' })).toEqual([expected[0], expected[2]]);
    // The stored figures are of the day before, so the tasks themselves are counted.
    clock.set('2026-11-23T00:00:20.000Z');
    expect(await rows()).toEqual(expected);
    const { data } = await all.client.pulse.list.query({});
    expect(data.rows.map(({ buildingName }) => buildingName)).toEqual(['Late', 'None', site.name]);
  });

  test('say the same from the kept figures of buildings as from the tasks, on both sides of a midnight', async () => {
    const buildingId = site.id;
    const { owner, server } = setting;
    for (const lastDone of ['2026-10-24', '2026-11-20', undefined])
      await add({ frequency: 'monthly', ...(lastDone !== undefined && { lastDone }) });
    await mark(await add({ lastDone: TODAY }));
    await retire(await add());
    const overview = async () => (await client.tasks.overview.query()).data;
    const listed = async () => {
      const { data } = await client.tasks.list.query({ buildingId });
      return { today: data.today, summary: summariseTasks(data.tasks, data.today) };
    };
    const tamper = (by: number) => owner.sql`
      update building_pulses set tasks_compliant = tasks_compliant + ${by} where building_id = ${buildingId}`;
    /** Whether the answer is from the stored figures: a wrong stored figure would be in it. */
    const answersKept = async () => {
      const { summary } = await overview();
      await tamper(7);
      const isKept = (await overview()).summary.compliant === summary.compliant + 7;
      await tamper(-7);
      return isKept;
    };
    const move = () => movePulses(server.services, clock.now());

    await move();
    const before = await listed();
    expect(await overview()).toMatchObject(before);
    expect(await answersKept()).toBe(true);

    clock.set('2026-11-25T00:00:20.000Z');
    const after = await listed();
    expect(after.summary).not.toEqual(before.summary);
    expect(await overview()).toMatchObject(after);
    expect(await answersKept()).toBe(false);

    await move();
    expect(await overview()).toMatchObject(after);
    expect(await answersKept()).toBe(true);
  });

  test('are narrowed by the filter that narrows the list', async () => {
    const ann = { responsiblePerson: 'Ann Weber' };
    await add({ ...ann, taskDescription: 'Lamp 100 % of ÉCOLE_1', lastDone: '2026-11-20' });
    await add({ ...ann, complianceSystem: 'L8', frequency: 'P14M', lastDone: '2025-01-31' });
    await add({ frequency: 'monthly', lastDone: '2026-11-20' });
    await add({ frequency: 'P1W' });
    await add({ frequency: 'annually', lastDone: '2025-11-10' });
    await mark(await add({ lastDone: TODAY }));
    await retire(await add(ann));
    const { tasks, today } = (await client.tasks.list.query({ buildingId: site.id })).data;
    const filters: TaskFilter[] = [
      ...TASK_STATUSES.map((status) => ({ status })),
      ...TASK_DATE_RANGES.map((range) => ({ range })),
      ...TASK_FREQUENCIES.map((frequency) => ({ frequency })),
      ...['Ann Weber', 'Ann'].map((responsible) => ({ responsible })),
      ...['ann', 'fire alarm – serv', 'T0003', '%', '_', 'école_', 'no such'].map((search) => ({ search })),
      { status: 'non-compliant', range: 'week', search: 'FIRE' },
    ];
    const counts = filters.map(async (filter) => {
      const shown = tasks.filter((task) => matchesTaskFilter(filter, task, today));
      const { summary } = (await client.tasks.overview.query(filter)).data;
      expect(summary, JSON.stringify(filter)).toEqual(summariseTasks(shown, today));
      return shown.length;
    });
    // Most filters match some tasks; only a few match none on purpose.
    expect((await Promise.all(counts)).filter((count) => count === 0).length).toBeLessThan(6);
  });

  test('are judged by the day of the organisation', async () => {
    const { db } = setting.server.services;
    await add();
    clock.set('2026-11-23T03:00:00.000Z');
    expect((await client.tasks.overview.query()).data).toMatchObject({
      today: '2026-11-23',
      summary: { overdue: 1 },
    });
    await db.update(settings).set({ timeZone: 'America/New_York' });
    try {
      expect((await client.tasks.overview.query()).data).toMatchObject({
        today: TODAY,
        changesAt: '2026-11-23T05:00:00.000Z',
        summary: { overdue: 0 },
      });
    } finally {
      await db.update(settings).set({ timeZone: 'Europe/London' });
    }
  });
});

describe('completing', () => {
  test('covers until the next occurrence, and says who did it', async () => {
    const task = await add({ lastDone: '2026-11-13' });
    await complete(task, '2026-11-21', client, { notes: 'All sounders heard' });
    const done = await get(task.id);
    expect(done).toMatchObject({ due: '2026-11-27', coveredUntil: '2026-11-27', completedOn: '2026-11-21' });
    expect(done.completedByName).not.toBeNull();
    expect(statusOn(done, TODAY)).toBe('compliant');
    expect((await record(task.id)).at(-1)).toMatchObject({ kind: 'completed', notes: 'All sounders heard' });
  });

  test('fifty people at once: one completion, one line, fifty equal answers', async () => {
    const task = await add();
    const people = await Promise.all(Array.from({ length: 5 }, () => setting.someone('manager', [site])));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => complete(task, TODAY, people[n % 5]?.client)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await record(task.id)).map(({ kind }) => kind)).toEqual(['created', 'completed']);
    const { data } = await client.tasks.history.query({ id: task.id });
    await expect
      .poll(async () => (await client.tasks.history.query({ id: task.id })).data.entries.length)
      .toBe(2);
    expect(data.nextCursor).toBeNull();
  });

  test.for([
    ['on another day', (task: Task) => complete(task, '2026-11-21')],
    ['by a move', (task: Task) => schedule(task, '2026-11-25')],
    [
      'by an undo',
      async (task: Task) => {
        await complete(task, '2026-11-20');
        await undo(task, (await get(task.id)).completionId);
      },
    ],
    ['by a mark', (task: Task) => mark(task)],
    ['by retiring it', (task: Task) => retire(task)],
  ] as const)('what was changed since %s is asked about, with what is there now', async ([, change]) => {
    const task = await add();
    await change(task);
    const now = await get(task.id);
    expect(await refusalOf(complete(task))).toMatchObject({
      code: 'conflict',
      message: taskMessages.changedSince,
      fields: {
        due: now.due,
        completedOn: now.completedOn,
        retiredAt: now.retiredAt,
        occurrence: now.occurrence,
      },
      version: now.version,
    });
    expect(await get(task.id)).toEqual(now);
  });

  test.for([
    ['2026-11-23', taskMessages.completionFuture],
    ['1996-11-21', taskMessages.completionTooOld],
    ['2026-02-30', messages.common.dateInvalid],
  ] as const)('on %s is refused at the field', async ([day, sentence]) => {
    const task = await add();
    expect(await refusalOf(complete(task, day))).toMatchObject({
      code: 'invalid',
      fields: { day: sentence },
    });
    expect(await get(task.id)).toEqual(task);
  });

  test('before the last completion is refused, with the day of that one', async () => {
    const task = await add({ lastDone: '2026-11-20' });
    expect(await refusalOf(complete(task, '2026-11-19'))).toMatchObject({
      fields: { day: taskMessages.completedLater('Nov 20, 2026') },
    });
  });

  test('after occurrences were missed is kept with the reason, and without one where a device has queued it', async () => {
    const lapsed = await add({ lastDone: '2026-10-01' });
    await complete(lapsed, TODAY, client, { missedReason: '  The contractor was closed  ' });
    const queued = await add({ lastDone: '2026-10-01' });
    await complete(queued);
    const reasons = async ({ id }: Task) =>
      (await record(id)).filter(({ kind }) => kind === 'completed').map(({ reason }) => reason);
    expect(await reasons(lapsed)).toEqual(['The contractor was closed']);
    expect(await reasons(queued)).toEqual([null]);
    const refused = await refusalOf(complete(queued, TODAY, client, { missedReason: 'x'.repeat(501) }));
    expect(refused).toMatchObject({ code: 'invalid' });
  });

  test('by a certificate needs the date that it states', async () => {
    const task = await add({ frequency: 'P60M/stated' });
    expect(await refusalOf(complete(task))).toMatchObject({
      fields: { stated: taskMessages.statedRequired },
    });
    const wrong = await refusalOf(complete(task, TODAY, client, { stated: TODAY }));
    expect(wrong).toMatchObject({ fields: { stated: taskMessages.statedTooEarly } });
    await complete(task, TODAY, client, { stated: '2029-11-21' });
    expect(await get(task.id)).toMatchObject({ due: '2029-11-21', coveredUntil: '2029-11-21' });
  });

  test.each(['tasks.create', 'tasks.complete'])(
    'a certificate that does not count is not kept by %s for a later frequency',
    async (through) => {
      const stated = '9999-12-31';
      const task = await add(through === 'tasks.create' ? { lastDone: '2026-11-01', stated } : {});
      if (through === 'tasks.complete') await complete(task, '2026-11-01', client, { stated });
      const frequency = { from: 'weekly', to: 'P6M/stated' };
      await client.tasks.update.mutate({ ...operation(), id: task.id, changes: { frequency } });
      expect(await get(task.id)).toMatchObject({ due: '2027-05-01', coveredUntil: '2027-05-01' });
    },
  );

  test('on a day from which the completion was corrected since is asked about', async () => {
    const task = await add();
    await complete(task);
    const done = await get(task.id);
    const { id, occurrence } = done;
    await client.tasks.correct.mutate({ ...operation(), id, occurrence, day: '2026-11-20' });
    const refused = await refusalOf(complete(task));
    expect(refused).toMatchObject({ code: 'conflict', fields: { completedOn: '2026-11-20' } });
    expect((await record(id)).map(({ kind }) => kind)).toEqual(['created', 'completed', 'corrected']);
  });

  test('ends a mark from its day on, and is history only before it', async () => {
    const task = await add({ lastDone: '2026-11-20' });
    await mark(task, 'The bell is broken');
    const marked = await get(task.id);
    expect(marked).toMatchObject({ markedOn: TODAY, markReason: 'The bell is broken' });
    await complete(marked, '2026-11-21');
    expect(await get(task.id)).toMatchObject({ markedOn: TODAY, completedOn: '2026-11-20' });
    await complete(marked);
    expect(await get(task.id)).toMatchObject({ markedOn: null, markReason: null, completedOn: TODAY });
  });
});

describe('scheduling', () => {
  test('moves the date that is shown, and neither the grid nor what is proven', async () => {
    const task = await add({ lastDone: '2026-11-20' });
    await schedule(task, '2026-12-24');
    const moved = await get(task.id);
    expect(moved).toMatchObject({ due: '2026-12-24', gridDay: '2026-11-27', coveredUntil: '2026-11-27' });
  });

  test('twice from the same date: the second is asked, with the present one; the same day twice is once', async () => {
    const task = await add();
    await schedule(task, '2026-11-25');
    expect(await refusalOf(schedule(task, '2026-11-26'))).toMatchObject({
      code: 'conflict',
      fields: { due: '2026-11-25' },
    });
    expect((await schedule(task, '2026-11-25')).version).toBe(2);
    expect(await record(task.id)).toHaveLength(2);
  });

  test.for(['1900-01-01', '2026-11-21', '2036-11-23', '9999-12-31'])('to %s is refused', async (day) => {
    const task = await add();
    expect(await refusalOf(schedule(task, day))).toMatchObject({
      code: 'invalid',
      fields: { 'due.to': taskMessages.scheduleOutOfRange },
    });
    expect(await get(task.id)).toEqual(task);
  });
});

describe('the record', () => {
  test('tells the dates: whatever was done, they are what the lines come to', async () => {
    const task = await add({ frequency: 'monthly', lastDone: '2026-10-31' });
    const { services } = setting.server;
    const steps: ((now: Task) => Promise<unknown>)[] = [
      (now) => schedule(now, '2026-12-03'),
      (now) => complete(now, '2026-11-20'),
      (now) => mark(now),
      (now) => complete(now),
      (now) =>
        client.tasks.correct.mutate({ ...operation(), id: now.id, occurrence: now.occurrence, day: TODAY }),
      (now) => undo(now, now.completionId),
      (now) => undo(now, now.markId),
      (now) => edit(now, 'P2W'),
      (now) => complete(now),
      (now) =>
        client.tasks.correct.mutate({
          ...operation(),
          id: now.id,
          occurrence: now.occurrence,
          day: '2026-11-21',
        }),
      (now) => edit(now, 'P1M/last-5'),
      (now) => undo(now, now.completionId),
      (now) => undo(now, now.completionId),
      (now) => undo(now, now.completionId),
    ];
    const edit = ({ id, frequency }: Task, to: string) =>
      client.tasks.update.mutate({ ...operation(), id, changes: { frequency: { from: frequency, to } } });
    for (const step of steps) {
      await step(await get(task.id));
      const lines = await services.db.transaction((tx) => readLines(tx, task.id));
      const now = await get(task.id);
      const { dates, completion, mark: marked } = readRecord(recordOf(lines));
      expect(datesOf(now)).toEqual(dates);
      expect([now.completionId, now.markId]).toEqual([completion, marked]);
    }
    // The last-done date with which the task was added was undone last.
    expect(await get(task.id)).toMatchObject({ completedOn: null, coveredUntil: null });
  });

  test('undoing is a line with a reason, and once', async () => {
    const task = await add();
    await complete(task);
    const done = await get(task.id);
    await undo(task, done.completionId);
    expect(await get(task.id)).toMatchObject({ due: TODAY, completedOn: null, completedByName: null });
    const version = (await get(task.id)).version;
    expect(await undo(task, done.completionId)).toEqual({ id: task.id, version });
    expect((await record(task.id)).map(({ kind, reason }) => [kind, reason])).toEqual([
      ['created', null],
      ['completed', null],
      ['undone', 'Wrong task'],
    ]);
    const [, , line] = await record(task.id);
    expect(await refusalOf(undo(task, line?.id ?? ''))).toMatchObject({
      fields: { lineId: taskMessages.notUndoable },
    });
    const noReason = { ...operation(), id: task.id, lineId: line?.id ?? '', reason: ' ' };
    expect(await refusalOf(client.tasks.undo.mutate(noReason))).toMatchObject({
      fields: { reason: taskMessages.reasonRequired },
    });
  });

  test('a correction that is before another completion is refused, and nothing is stored', async () => {
    const task = await add({ lastDone: '2026-11-13' });
    await complete(task, '2026-11-20');
    const { id, occurrence } = await get(task.id);
    const correct = (day: string) => client.tasks.correct.mutate({ ...operation(), id, occurrence, day });
    expect(await refusalOf(correct('2026-11-12'))).toMatchObject({
      fields: { day: taskMessages.beforeAnother },
    });
    await correct('2026-11-19');
    expect(await get(id)).toMatchObject({ completedOn: '2026-11-19', due: '2026-11-27' });
    expect((await record(id)).map(({ kind }) => kind)).toEqual(['created', 'completed', 'corrected']);
  });

  test('is never changed or deleted, not even by the owner of the tables', async () => {
    const task = await add();
    const { sql } = setting.owner;
    await expect(sql`update task_lines set day = '2020-01-01' where task_id = ${task.id}`).rejects.toThrow(
      'never changed or deleted',
    );
    await expect(sql`delete from task_lines where task_id = ${task.id}`).rejects.toThrow('never changed');
    await expect(sql`delete from tasks where id = ${task.id}`).rejects.toThrow('never changed');
  });

  test('is told in the history and in the Activity', async () => {
    const task = await add();
    await complete(task);
    const commands = async () =>
      (await client.tasks.history.query({ id: task.id })).data.entries.map(({ command }) => command);
    await expect.poll(commands).toEqual(['tasks.complete', 'tasks.create']);
    const { data } = await setting.admin.client.activity.list.query({
      filter: { entity: 'task', buildingId: site.id },
    });
    expect(data.entries[0]).toMatchObject({
      subject: `${task.taskNumber} Fire Alarm – Service`,
      changes: { due: [TODAY, '2026-11-29'] },
    });
  });
});

describe('retiring', () => {
  test('takes a task out of the list and the cards with a reason, and restoring brings it back as it was', async () => {
    const task = await add({ lastDone: '2026-11-20' });
    await retire(task);
    const list = async (retired: boolean) =>
      (await client.tasks.list.query({ buildingId: site.id, retired })).data.tasks.map(({ id }) => id);
    expect([await list(false), await list(true)]).toEqual([[], [task.id]]);
    expect((await client.tasks.overview.query()).data.buildings).toMatchObject([{ withoutTasks: true }]);
    expect(await refusalOf(mark(task))).toMatchObject({ code: 'invalid', message: taskMessages.retired });
    await client.tasks.restore.mutate({ ...operation(), id: task.id });
    expect(datesOf(await get(task.id))).toEqual(datesOf(task));
    expect((await record(task.id)).map(({ kind }) => kind)).toEqual(['created', 'retired', 'restored']);
  });
});

describe('the library', () => {
  const LEGIONELLA = 'legionella-review';
  const apply = (templateIds: string[], by = client) =>
    by.tasks.applyTemplates.mutate({ ...operation(), buildingId: site.id, templateIds });
  const offer = async () => (await client.tasks.templates.query({ buildingId: site.id })).data;

  test('names what the register lacks, and adds a template once, also where two people apply it at once', async () => {
    await client.assets.create.mutate({
      ...operation(),
      id: uuidv7(),
      buildingId: site.id,
      name: 'Passenger lift',
      description: 'Lobby',
      type: 'lift',
      quantity: 2,
    });
    expect((await offer()).missing).toEqual([
      { templateId: 'loler-people', assets: [{ type: 'lift', count: 2 }] },
    ]);
    const other = await setting.someone('manager', [site]);
    const answers = await Promise.all([
      apply(['loler-people', LEGIONELLA]),
      apply(['loler-people', LEGIONELLA], other.client),
    ]);
    expect(answers.map(({ added, leftOut }) => [added.length, leftOut.length]).sort()).toEqual([
      [0, 2],
      [2, 0],
    ]);
    const { tasks } = (await client.tasks.list.query({ buildingId: site.id })).data;
    expect(tasks.map(({ templateId, frequency }) => [templateId, frequency])).toEqual([
      ['loler-people', 'P6M/completion'],
      [LEGIONELLA, 'P24M'],
    ]);
    expect(await offer()).toMatchObject({ inUse: [LEGIONELLA, 'loler-people'], missing: [] });
  });

  test('tells exactly what would be added, with numbers and first due dates, and stores nothing', async () => {
    const ids = ['legionella-review', 'alarm-weekly-test', 'eicr-commercial'];
    const input = { buildingId: site.id, templateIds: ids };
    const preview = async () => (await client.tasks.templatePreview.query(input)).data;
    await client.tasks.applyTemplates.mutate({ ...operation(), ...input, templateIds: ['eicr-commercial'] });
    const { planned, leftOut, today } = await preview();
    expect([today, leftOut]).toEqual([TODAY, ['eicr-commercial']]);
    // The week of the log ends on Thursday.
    expect(planned.map(({ templateId, due, isDue }) => [templateId, due, isDue])).toEqual([
      ['legionella-review', TODAY, true],
      ['alarm-weekly-test', '2026-11-26', true],
    ]);
    expect((await client.tasks.list.query({ buildingId: site.id })).data.tasks).toHaveLength(1);
    await client.tasks.applyTemplates.mutate({ ...operation(), ...input });
    const { tasks } = (await client.tasks.list.query({ buildingId: site.id })).data;
    for (const { templateId, taskNumber, due, completedOn, isDue } of planned) {
      expect(tasks.find((task) => task.templateId === templateId)).toMatchObject({
        ...{ taskNumber, due, completedOn, isDue },
      });
    }
    expect(await preview()).toMatchObject({ planned: [], leftOut: ids });
    const refused = await refusalOf(
      client.tasks.templatePreview.query({ ...input, templateIds: ['martyns-law-drills'] }),
    );
    expect(refused).toMatchObject({
      code: 'invalid',
      fields: { 'templateIds.0': taskMessages.templateUnknown },
    });
  });

  test('has no template that it does not offer', async () => {
    for (const id of ['unknown', 'martyns-law-drills']) {
      expect(await refusalOf(apply([LEGIONELLA, id]))).toMatchObject({
        fields: { 'templateIds.1': taskMessages.templateUnknown },
      });
    }
    expect((await client.tasks.list.query({ buildingId: site.id })).data.tasks).toEqual([]);
  });

  test('a duty is covered by the task that a person names, once, and no longer missing', async () => {
    const lift = { name: 'Passenger lift', description: 'Lobby', type: 'lift' as const };
    await client.assets.create.mutate({ ...operation(), id: uuidv7(), buildingId: site.id, ...lift });
    const task = await add({ complianceSystem: 'Hebezeuge', taskDescription: 'Hauptprüfung' });
    const cover = (id: string, templateId: string) =>
      client.tasks.coverDuty.mutate({ ...operation(), id, templateId });
    const lolers = async () => (await offer()).missing.map(({ templateId }) => templateId);
    expect(await lolers()).toEqual(['loler-people']);
    const covered = await cover(task.id, 'loler-people');
    expect(covered.version).toBe(task.version + 1);
    expect(await lolers()).toEqual([]);
    // Nothing else of the task changes; naming it again changes nothing at all.
    const { templateId, version, updatedAt, ...rest } = await get(task.id);
    expect(templateId).toBe('loler-people');
    const { templateId: _was, version: _version, updatedAt: _at, ...before } = task;
    expect(rest).toEqual(before);
    expect(await cover(task.id, 'loler-people')).toEqual({ id: task.id, version });
    expect((await get(task.id)).updatedAt).toBe(updatedAt);
    const { data } = await client.tasks.history.query({ id: task.id });
    expect(data.entries[0]).toMatchObject({
      command: 'tasks.coverDuty',
      changes: { duty: [null, expect.stringContaining('LOLER')] },
    });

    const other = await add({ taskDescription: 'Another' });
    for (const [id, template, fields] of [
      [other.id, 'loler-people', { templateId: taskMessages.duplicateInUse }],
      [task.id, LEGIONELLA, { id: taskMessages.coversAnother }],
      [other.id, 'martyns-law-drills', { templateId: taskMessages.templateUnknown }],
    ] as const)
      expect(await refusalOf(cover(id, template))).toMatchObject({ code: 'invalid', fields });
    await retire(other);
    expect(await refusalOf(cover(other.id, LEGIONELLA))).toMatchObject({ message: taskMessages.retired });
  });

  test('a retired task is not restored beside another of its template', async () => {
    await apply([LEGIONELLA]);
    const [first] = (await client.tasks.list.query({ buildingId: site.id })).data.tasks;
    if (first === undefined) throw new Error('the template was not applied');
    await retire(first);
    await apply([LEGIONELLA]);
    expect(await refusalOf(client.tasks.restore.mutate({ ...operation(), id: first.id }))).toMatchObject({
      code: 'invalid',
      message: taskMessages.duplicateInUse,
    });
  });
});

describe('a selection', () => {
  test('is changed with one event a building, and with a line in each record', async () => {
    const second = await createBuilding(setting.server.services);
    const made = [await add(), await add(), await add({ buildingId: second.id }, setting.admin.client)];
    const ids = made.map(({ id }) => id);
    const stream = await setting.followed(setting.admin.cookie);
    const bulks = () => stream.events.filter(({ op, entity }) => op === 'bulk' && entity === 'task');
    const { tasks } = setting.admin.client;
    await tasks.reassign.mutate({ ...operation(), ids, responsiblePerson: 'Ann' });
    await expect.poll(() => bulks().length).toBe(2);
    const seen = made.map(({ id, occurrence }) => ({ id, occurrence }));
    await tasks.reschedule.mutate({ ...operation(), tasks: seen, due: '2026-12-01' });
    await tasks.retireAll.mutate({ ...operation(), ids, reason: 'Sold' });
    await expect
      .poll(() =>
        bulks()
          .map(({ command }) => command)
          .sort(),
      )
      .toEqual([
        'tasks.reassign',
        'tasks.reassign',
        'tasks.reschedule',
        'tasks.reschedule',
        'tasks.retireAll',
        'tasks.retireAll',
      ]);
    const [first] = ids;
    expect((await record(first ?? '')).map(({ kind }) => kind)).toEqual([
      'created',
      'reassigned',
      'scheduled',
      'retired',
    ]);
    expect(await get(first ?? '')).toMatchObject({ responsiblePerson: 'Ann', due: '2026-12-01', version: 4 });
  });

  test('with one task that is not there changes none', async () => {
    const task = await add();
    const ids = [task.id, uuidv7()];
    const refused = await refusalOf(
      client.tasks.reassign.mutate({ ...operation(), ids, responsiblePerson: 'Ann' }),
    );
    expect(refused).toMatchObject({ code: 'not_found', message: taskMessages.selectionChanged });
    expect(await get(task.id)).toEqual(task);
  });

  test('of two that overlap and are retired at once, the second changes nothing and says why', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    const ids = [first.id, second.id];
    await client.tasks.retireAll.mutate({ ...operation(), ids, reason: 'Sold' });
    const other = { ids: [second.id, third.id], reason: 'Demolished' };
    const refused = await refusalOf(client.tasks.retireAll.mutate({ ...operation(), ...other }));
    expect(refused).toMatchObject({ code: 'not_found', message: taskMessages.selectionChanged });
    expect((await get(third.id)).retiredAt).toBeNull();
  });

  test('with a date that another person has set meanwhile moves none, and says which', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    const due = { from: second.due, to: '2026-11-27' };
    await setting.admin.client.tasks.schedule.mutate({ ...operation(), id: second.id, due });
    await setting.admin.client.tasks.schedule.mutate({
      ...operation(),
      id: third.id,
      due: { from: third.due, to: '2026-12-01' },
    });
    const seen = [first, second, third].map(({ id, occurrence }) => ({ id, occurrence }));
    const move = () => client.tasks.reschedule.mutate({ ...operation(), tasks: seen, due: '2026-12-01' });
    const refused = await refusalOf(move());
    // The third task has the wanted date already, so it is no conflict, whoever set the date.
    const message = taskMessages.selectionMoved([second.taskNumber]);
    expect(refused).toMatchObject({ code: 'conflict', message });
    expect((await get(first.id)).due).toBe(first.due);
    seen.splice(1, 1, { id: second.id, occurrence: (await get(second.id)).occurrence });
    expect(await move()).toMatchObject({ changed: 2 });
    expect((await get(second.id)).due).toBe('2026-12-01');
  });

  test('of thousands is refused before anything is read', async () => {
    const seen = Array.from({ length: 3_000 }, () => ({ id: uuidv7(), occurrence: 1 }));
    const refused = await refusalOf(
      client.tasks.reschedule.mutate({ ...operation(), tasks: seen, due: '2026-12-01' }),
    );
    expect(refused.code).toBe('invalid');
  });
});

describe('the lapse at midnight', () => {
  test('is that of the zone which the organisation has by then', async () => {
    const { db } = setting.server.services;
    const job = { ...lapseJob, name: `lapse ${uuidv7()}` };
    const ran = () => runIfDue(setting.server.services, job);
    await ran();
    clock.set('2026-11-22T14:59:59.000Z');
    expect(await ran()).toBe(false);
    try {
      // Midnight in Tokyo is at 15:00 in London.
      await db.update(settings).set({ timeZone: 'Asia/Tokyo' });
      expect(await ran()).toBe(false);
      clock.set('2026-11-22T15:00:00.000Z');
      expect(await ran()).toBe(true);
    } finally {
      await db.update(settings).set({ timeZone: 'Europe/London' });
    }
    expect(await ran()).toBe(false);
    clock.set('2026-11-23T00:00:00.000Z');
    expect(await ran()).toBe(true);
  });

  const lapses = (buildingId: string) =>
    setting.server.services.db.select().from(taskLapses).where(eq(taskLapses.buildingId, buildingId));

  test('is one event a building, by whichever of two servers comes first, also after days without any', async () => {
    const job = { ...lapseJob, name: `lapse ${uuidv7()}` };
    const other = await startTestServer(setting.database, { clock, timedJobs: LOOKS_ONCE });
    try {
      await runIfDue(setting.server.services, job);
      const second = await createBuilding(setting.server.services);
      await add({ lastDone: '2026-11-20' });
      await add({ lastDone: '2026-11-20' });
      await add({ lastDone: '2026-11-21' });
      await add();
      await add({ buildingId: second.id, lastDone: '2026-11-20' }, setting.admin.client);
      const stream = await setting.followed(setting.admin.cookie);
      // Other tests have left tasks in other buildings.
      const here = [site.id, second.id];
      const heard = () =>
        stream.events
          .filter(({ command, entityId }) => command === 'tasks.lapse' && here.includes(entityId))
          .map(({ entityId }) => entityId);
      const ran = async () =>
        (await Promise.all([setting.server, other].map(({ services }) => runIfDue(services, job)))).filter(
          Boolean,
        );

      clock.set('2026-11-27T23:59:59.000Z');
      await ran();
      expect(await lapses(site.id)).toEqual([]);
      // Covered until the 27th and the 28th; the servers were down until the 30th.
      clock.set('2026-11-30T08:00:00.000Z');
      expect(await ran()).toHaveLength(1);
      await expect.poll(() => heard().sort()).toEqual(here.sort());
      expect((await lapses(site.id)).map(({ day, tasks }) => [day, tasks])).toEqual([
        ['2026-11-28', 2],
        ['2026-11-29', 1],
      ]);
      // A run that was killed is repeated, and records nothing twice.
      const { signal } = new AbortController();
      await job.run(other.services, {
        since: new Date('2026-11-22T00:00:00.000Z'),
        until: clock.now(),
        signal,
      });
      clock.advance(DAY_MS);
      expect(await ran()).toHaveLength(1);
      expect(await lapses(site.id)).toHaveLength(2);
      expect(heard()).toHaveLength(2);
    } finally {
      await other.stop();
    }
  });
});

test('the people to filter by and to choose from are those of the tasks and of the building', async () => {
  await add({ responsiblePerson: 'Contractor Ltd' });
  const operative = await setting.someone('operative', [site]);
  const { names, people } = await client.tasks.responsible.query({ buildingId: site.id });
  expect(names).toEqual(['Contractor Ltd']);
  expect(people.map(({ id }) => id)).toEqual(expect.arrayContaining([manager.id, operative.id]));
  expect(people.map(({ id }) => id)).not.toContain((await setting.someone('viewer')).id);
  // People who may not edit tasks do not get the names of colleagues.
  expect((await operative.client.tasks.responsible.query({ buildingId: site.id })).people).toEqual([]);
});

describe('what a device kept without a connection', () => {
  const kept = (
    by: SignedInPerson,
    command: string,
    input: { operationId: string; id: string; [field: string]: unknown },
  ) => bringUnsent(setting.server.url, setting.admin.cookie, unsentFileOf(by.id, command, input));

  test('is run from its file in the name of its person, once', async () => {
    const fields = { complianceSystem: 'Lifts', taskDescription: 'Examination', frequency: 'biannually' };
    const created = { ...operation(), id: uuidv7(), buildingId: site.id, ...fields };
    expect(await kept(manager, 'tasks.create', created)).toMatchObject({ imported: 1, refused: [] });
    expect(await kept(manager, 'tasks.create', created)).toMatchObject({ imported: 0, known: 1 });
    const task = await get(created.id);
    const done = { ...operation(), id: task.id, occurrence: task.occurrence, day: TODAY };
    expect(await kept(manager, 'tasks.complete', done)).toMatchObject({ imported: 1, refused: [] });
    const changes = { responsiblePerson: { from: '', to: 'Ann' } };
    expect(await kept(manager, 'tasks.update', { ...operation(), id: task.id, changes })).toMatchObject({
      imported: 1,
    });
    expect(await get(task.id)).toMatchObject({ completedOn: TODAY, responsiblePerson: 'Ann' });
    // A second completion of the same occurrence, on another day, is for a person to decide.
    const late = { ...done, ...operation(), day: '2026-11-21' };
    expect((await kept(manager, 'tasks.complete', late)).refused).toEqual([
      { title: 'Forged', reason: taskMessages.changedSince },
    ]);
  });

  test('is refused for a person who may not do it', async () => {
    const operative = await setting.someone('operative', [site]);
    const task = await add();
    const done = { ...operation(), id: task.id, occurrence: 1, day: TODAY };
    const [refused] = (await kept(operative, 'tasks.complete', done)).refused;
    expect(refused?.reason).toMatch(/may not change tasks/);
    expect(await get(task.id)).toEqual(task);
  });
});

test('the list as a file has what the filter lets through', async () => {
  await add({ taskDescription: 'Done', lastDone: '2026-11-20' });
  await add({ taskDescription: 'New', frequency: 'P1M/first-1' });
  const filter = encodeURIComponent(JSON.stringify({ buildingId: site.id, status: 'non-compliant' }));
  const answer = await fetch(`${setting.server.url}/files/export/tasks.csv?filter=${filter}`, {
    headers: { cookie: manager.cookie },
  });
  expect(answer.status).toBe(200);
  const [, ...lines] = (await answer.text()).trim().split('\r\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('First Monday of the month');
});

test('a line of each kind is stored with what its kind needs', async () => {
  const task = await add();
  const { db } = setting.server.services;
  const [line] = await db.select().from(taskLines).where(eq(taskLines.taskId, task.id));
  if (line === undefined) throw new Error('the task has no line');
  const broken = {
    ...line,
    id: uuidv7(),
    position: 2,
    kind: 'marked' as const,
    frequency: null,
    grace: null,
  };
  await expect(db.insert(taskLines).values(broken)).rejects.toThrow();
  await db.insert(taskLines).values({ ...broken, reason: 'A fault' });
});
