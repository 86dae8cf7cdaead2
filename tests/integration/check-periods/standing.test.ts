import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movePulses } from '#server/features/pulse/move.job.ts';
import { periodOf } from '#shared/check-periods.ts';
import {
  CHECK_KINDS,
  CHECK_VOCABULARY,
  type CheckKind,
  TASK_CHECK_VOCABULARY,
  TASK_CHECKS,
} from '#shared/features/checks/kinds.vocabulary.ts';
import { CELL_STATUSES } from '#shared/features/checks/procedure-answers.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHECKS_NOW, type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { KINDS_WITH_TYPE, lineOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { isDueOn, progressOn, standingOf } from '#web/features/checks/due/due-sites.ts';

// Many places of the code decide whether a check is due: in each case of this table, all of them must agree. The day is
// Wednesday, 18 November: the week of the log began on Friday the 13th, and the month on Sunday the 1st.

const TODAY = CHECKS_NOW.slice(0, 10);
const ADDED = '2026-09-01T09:00:00.000Z';

let setting: CheckSetting;
beforeAll(async () => {
  setting = await createCheckSetting();
});
afterAll(() => setting.end());

const operation = () => ({ operationId: uuidv7() });
/** The result of each subject in a visit, in the order of the subjects; null: the visit has no line for the subject. */
type Said = readonly ('pass' | 'fail' | 'annual' | 'untested' | null)[];
type Site = Awaited<ReturnType<typeof createSite>>;
type Case = {
  name: string;
  kind: CheckKind;
  /** The number of subjects of the site. */
  subjects: number;
  does: (site: Site) => Promise<unknown>;
  letter: keyof typeof CELL_STATUSES;
  isDue: boolean;
  isOverdue?: boolean;
  progress?: { done: number; of: number };
};

const UNTESTED: Partial<Record<CheckKind, object>> = {
  emergency_lighting_test: { passed: null, notes: 'No access' },
  outlet_flushing: { isFlushed: false, notes: null },
};

/** A site that was added in September, where only this kind is due, with a task that it satisfies. */
async function createSite(kind: CheckKind, subjects: number) {
  const { server, clock, admin } = setting;
  clock.set(ADDED);
  const { id: buildingId } = await createBuilding(server.services);
  const ids: string[] = [];
  for (let n = 0; n < subjects; n += 1) ids.push((await setting.subject(kind, { buildingId })).id);
  const changes = { isHealthcare: { from: false, to: true } };
  await admin.locations.updateBuilding.mutate({ ...operation(), id: buildingId, changes });
  const plan = (of: CheckKind, from: string, values: { isDue: boolean; times: number }) =>
    admin.checks.setSchedule.mutate({ ...operation(), buildingId, kind: of, from, ...values });
  for (const other of CHECK_KINDS.filter((each) => each !== kind))
    await plan(other, '2026-09-01', { isDue: false, times: 1 });
  const check = TASK_CHECKS.find(
    (each) => TASK_CHECK_VOCABULARY[each].kind === kind && TASK_CHECK_VOCABULARY[each].rhythm === 'periods',
  );
  if (check === undefined) throw new Error(`no task is satisfied by ${kind}`);
  const { id: taskId } = await admin.tasks.create.mutate({
    ...operation(),
    ...{ id: uuidv7(), buildingId, complianceSystem: 'Safety check', taskDescription: kind, check },
    frequency: CHECK_VOCABULARY[kind].cadence,
  });
  clock.set(CHECKS_NOW);
  // Moves the figures of the pulse from September to today, which the job at each midnight would have done.
  await movePulses(server.services, clock.now());
  const person = await createPerson(server.services, { role: 'manager', buildings: [buildingId] });
  const client = createTestClient(server.url, await signInAs(server, person));
  const entriesOf = (said: Said) =>
    said.flatMap((word, n) => {
      if (word === null) return [];
      const entry = lineOf(kind, word === 'fail' ? 'fail' : 'pass', ids[n] ?? '');
      return [
        {
          ...entry,
          // A line that fails belongs to the monthly test, too.
          ...(kind === 'emergency_lighting_test' && {
            testType: word === 'annual' ? 'annual_duration' : 'monthly_function',
            minutes: word === 'annual' ? 180 : null,
          }),
          ...(word === 'untested' && UNTESTED[kind]),
        },
      ];
    });
  return {
    kind,
    buildingId,
    taskId,
    ids,
    client,
    plan: (from: string, values: { isDue: boolean; times: number }) => plan(kind, from, values),
    async visit(visitDate: string, said: Said) {
      const entries = entriesOf(said);
      const performedAt = `${visitDate}T09:00:00.000Z`;
      await setting.admin.checks.record.mutate(
        setting.visit(kind, { buildingId, visitDate, performedAt, entries }),
      );
      return entries;
    },
    amend: (entryId: string, said: Said) =>
      setting.admin.checks.amend.mutate({
        ...operation(),
        ...{ kind, entryId, reason: 'The other one', entry: entriesOf(said)[0] },
        // The cast: the entry was made for this kind.
      } as never),
    async add() {
      const id = uuidv7();
      const type = KINDS_WITH_TYPE.find(([each]) => each === kind)?.[1];
      const about = { id, buildingId, type, name: 'New', description: 'By the door' };
      await admin.assets.create.mutate({ ...operation(), ...about });
      ids.push(id);
    },
    retire: (n: number) => admin.assets.retire.mutate({ ...operation(), id: ids[n] ?? '' }),
    restore: (n: number) => admin.assets.restore.mutate({ ...operation(), id: ids[n] ?? '' }),
  };
}

const FLUSHING = { kind: 'outlet_flushing', subjects: 2 } as const;
const FRIDAY = '2026-11-13';
const CASES: readonly Case[] = [
  {
    ...{ name: 'nothing is recorded', ...FLUSHING },
    does: async () => undefined,
    ...{ letter: 'none', isDue: true, isOverdue: true },
  },
  {
    ...{ name: 'one of two outlets is done, and both were the week before', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      await site.visit(TODAY, ['pass', null]);
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'the week before is not complete, this one has nothing', ...FLUSHING },
    does: (site) => site.visit('2026-11-10', ['pass', null]),
    ...{ letter: 'none', isDue: true, isOverdue: true },
  },
  {
    ...{ name: 'the week before is not complete, this one is', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', null]);
      await site.visit(TODAY, ['pass', 'pass']);
    },
    ...{ letter: 'pass', isDue: false },
  },
  {
    ...{ name: 'each outlet is done on a day of its own', ...FLUSHING },
    async does(site) {
      await site.visit(FRIDAY, [null, 'pass']);
      await site.visit(TODAY, ['pass', null]);
    },
    ...{ letter: 'pass', isDue: false },
  },
  {
    ...{ name: 'an outlet that was not flushed stands among the lines', ...FLUSHING },
    does: (site) => site.visit(TODAY, ['pass', 'untested']),
    ...{ letter: 'partly_passed', isDue: true, isOverdue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'a failure completes as a pass does', ...FLUSHING },
    does: (site) => site.visit(TODAY, ['pass', 'fail']),
    ...{ letter: 'fail', isDue: false },
  },
  {
    ...{ name: 'a failure does not stand for the outlet that is missing', ...FLUSHING },
    does: (site) => site.visit(TODAY, ['fail', null]),
    ...{ letter: 'partly_failed', isDue: true, isOverdue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'an outlet is added after the round', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      await site.visit(TODAY, ['pass', 'pass']);
      await site.add();
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 2, of: 3 } },
  },
  {
    ...{ name: 'the outlet that was missing is retired', ...FLUSHING },
    async does(site) {
      await site.visit(TODAY, ['pass', null]);
      await site.retire(1);
    },
    ...{ letter: 'pass', isDue: false },
  },
  {
    ...{ name: 'the outlet that was missing is retired and restored', ...FLUSHING },
    async does(site) {
      await site.visit(TODAY, ['pass', null]);
      await site.retire(1);
      await site.restore(1);
    },
    ...{ letter: 'partly_passed', isDue: true, isOverdue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'a correction takes back a result, and the week before was complete', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      const [line] = await site.visit(TODAY, ['pass', 'pass']);
      await site.amend(line?.id ?? '', ['untested']);
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'a correction takes back the only complete week', ...FLUSHING },
    async does(site) {
      const [line] = await site.visit('2026-11-10', ['pass', 'pass']);
      await site.amend(line?.id ?? '', ['untested']);
    },
    ...{ letter: 'none', isDue: true, isOverdue: true },
  },
  {
    ...{ name: 'a record that arrives late completes the week before', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', null]);
      await site.visit(TODAY, [null, 'pass']);
      await site.visit('2026-11-12', [null, 'pass']);
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'a second day is asked for, and one is done', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      await site.plan(FRIDAY, { isDue: true, times: 2 });
      await site.visit(TODAY, ['pass', 'pass']);
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 0, of: 2 } },
  },
  {
    ...{ name: 'a second day is asked for after the first is done', ...FLUSHING },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      await site.visit(TODAY, ['pass', 'pass']);
      await site.plan(FRIDAY, { isDue: true, times: 2 });
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 0, of: 2 } },
  },
  {
    ...{ name: 'each outlet is done on two days, not on the same ones', ...FLUSHING },
    async does(site) {
      await site.plan(FRIDAY, { isDue: true, times: 2 });
      await site.visit(FRIDAY, ['pass', null]);
      await site.visit('2026-11-16', ['pass', 'pass']);
      await site.visit(TODAY, [null, 'pass']);
    },
    ...{ letter: 'pass', isDue: false },
  },
  {
    ...{ name: 'the schedule asks for nothing', ...FLUSHING },
    async does(site) {
      await site.visit(TODAY, ['pass', null]);
      await site.plan(FRIDAY, { isDue: false, times: 1 });
    },
    ...{ letter: 'partly_passed', isDue: false },
  },
  {
    ...{ name: 'one call point of several is enough', kind: 'fire_alarm_test', subjects: 3 },
    does: (site) => site.visit(TODAY, ['pass']),
    ...{ letter: 'pass', isDue: false },
  },
  {
    ...{ name: 'three of four temperatures are taken', kind: 'water_temperature_check', subjects: 4 },
    async does(site) {
      await site.visit('2026-10-20', ['pass', 'pass', 'pass', 'pass']);
      await site.visit(TODAY, ['pass', 'fail', 'pass', null]);
    },
    ...{ letter: 'partly_failed', isDue: true, progress: { done: 3, of: 4 } },
  },
  {
    ...{
      name: 'the annual test of a light is a duty of its own',
      kind: 'emergency_lighting_test',
      subjects: 2,
    },
    does: (site) => site.visit(TODAY, ['pass', 'annual']),
    ...{ letter: 'partly_passed', isDue: true, isOverdue: true, progress: { done: 1, of: 2 } },
  },
  {
    ...{ name: 'one call point or panel was not looked at', kind: 'call_point_visual_check', subjects: 2 },
    async does(site) {
      await site.visit('2026-11-10', ['pass', 'pass']);
      await site.visit(TODAY, ['pass', null]);
    },
    ...{ letter: 'partly_passed', isDue: true, progress: { done: 1, of: 2 } },
  },
];

describe('whether a check is due is said alike by the card, the register, the schedule, the log, the pulse and the task', () => {
  test.each(CASES)('$kind: $name', async ({ kind, subjects, does, letter, ...expected }) => {
    const site = await createSite(kind, subjects);
    await does(site);
    const { isDue, isOverdue = false, progress } = expected;
    const due = { isDue, isOverdue };
    const told = progress ?? { done: null, of: null };

    expect(await cardOf(site), 'the card').toEqual({
      due: Number(isDue),
      overdue: Number(isOverdue),
      dueSites: isDue ? [{ id: site.buildingId, isOverdue, ...told }] : [],
    });
    const schedule = await scheduleOf(site);
    const isPlanned = schedule.steps.at(-1)?.isDue ?? true;
    expect(schedule.standing, 'the schedule').toMatchObject(due);
    const check = await registerOf(site);
    expect(check.schedule, 'the register').toMatchObject({ ...due, applies: isPlanned });
    const standing = standingOf(kind, check);
    if (isDue) expect(isDueOn(kind, standing, TODAY), 'the phone').toBe(true);
    expect(isDue ? progressOn(kind, standing, TODAY) : undefined, 'the form').toEqual(progress);
    const { data: missing } = await site.client.checks.missing.query({ kind, day: TODAY });
    expect(missing.sites, 'the log').toEqual(
      isDue ? [{ buildingId: site.buildingId, name: expect.any(String), ...told }] : [],
    );
    expect(await letterOf(site), 'the year').toBe(CELL_STATUSES[letter]);
    const { data: pulse } = await site.client.pulse.get.query({ buildingId: site.buildingId });
    expect(pulse?.checks, 'the pulse').toMatchObject({
      due: Number(isDue && !isOverdue),
      missed: Number(isOverdue),
    });
    const { data: task } = await site.client.tasks.get.query({ id: site.taskId });
    if (!isPlanned) expect(task.isDue, 'the task').toBe(false);
    else {
      expect(task.due, 'the task').toBe(schedule.standing.nextDue);
      if (task.coverage !== null && progress !== undefined) expect(task.coverage).toMatchObject(progress);
    }
  });
});

async function cardOf({ client, kind }: Site) {
  const card = (await client.checks.cards.query()).data.cards.find((each) => each.kind === kind);
  const dueSites = card?.dueSites.map(({ id, isOverdue, done, of }) => ({ id, isOverdue, done, of }));
  return { due: card?.due, overdue: card?.overdue, dueSites };
}

async function scheduleOf({ buildingId, kind }: Site) {
  const { data } = await setting.admin.checks.schedule.query({ buildingId });
  const found = data.kinds.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`${kind} has no schedule`);
  return found;
}

async function registerOf({ client, buildingId, kind }: Site) {
  const { data } = await client.checks.register.query({ buildingIds: [buildingId] });
  const check = data.sites[0]?.checks[kind];
  if (check === undefined) throw new Error(`the register has no ${kind}`);
  return check;
}

async function letterOf({ client, buildingId, kind }: Site) {
  const { year, index } = periodOf(CHECK_VOCABULARY[kind].cadence, TODAY);
  const { data } = await client.checks.yearGrid.query({ kind, year });
  return data.sites.find((site) => site.buildingId === buildingId)?.cells[index] ?? CELL_STATUSES.none;
}
