import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildings } from '#db/schema/places.ts';
import { lapseJob } from '#server/features/tasks/lapse.job.ts';
import { dayOf } from '#shared/dates.ts';
import type { CheckKind, TaskCheck } from '#shared/features/checks/kinds.vocabulary.ts';
import { statusOn } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHECKS_NOW, type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf } from '#tests/support/server/client.ts';
import { runFile } from '#tests/support/server/files.ts';

// A Wednesday; the week of the log ends on Thursday, Nov 19.

let setting: CheckSetting;
let site: TestBuilding;

beforeAll(async () => {
  setting = await createCheckSetting();
});
afterAll(() => setting.end());
beforeEach(async () => {
  setting.clock.set(CHECKS_NOW);
  site = await createBuilding(setting.server.services);
});

const operation = () => ({ operationId: uuidv7() });
const get = async (id: string): Promise<Task> => (await setting.admin.tasks.get.query({ id })).data;
const statusOf = (task: Task) => statusOn(task, dayOf(setting.clock.now()));

async function add(check: TaskCheck): Promise<Task> {
  const { id } = await setting.admin.tasks.create.mutate({
    ...operation(),
    id: uuidv7(),
    buildingId: site.id,
    complianceSystem: 'Safety check',
    taskDescription: check,
    frequency: 'weekly',
    check,
  });
  return get(id);
}

const ASSET_COMMANDS = ['create', 'retire', 'restore', 'update'].map((verb) => `assets.${verb}`);
const asset = (type: 'water_outlet' | 'emergency_light') =>
  createAsset(setting.server.services, { buildingId: site.id, type });
const input = (kind: CheckKind, entries: readonly unknown[]) =>
  visitOf(kind, { buildingId: site.id, now: setting.clock.now().toISOString(), entries });
const record = (kind: CheckKind, entries: readonly unknown[]) =>
  setting.admin.checks.record.mutate(input(kind, entries));
const flushed = (assetId: string) => lineOf('outlet_flushing', 'pass', assetId);
const notAttempted = (outletId: string) => ({
  ...{ id: uuidv7(), photoIds: [], outletId, isFlushed: false, minutes: null, notes: null },
});
const alarm = (result: 'pass' | 'fail', place: string) => ({
  ...lineOf('fire_alarm_test', result, uuidv7()),
  assetId: null,
  locationTested: place,
});

describe('a task that a check satisfies', () => {
  test('is due at the end of the period, and complete with one call point', async () => {
    const task = await add('alarm_test');
    expect(task).toMatchObject({
      // Version 1, so that the summary in windows counts it as a new row, too.
      version: 1,
      frequency: 'weekly',
      due: '2026-11-19',
      coveredUntil: null,
      coverage: null,
    });
    await record('fire_alarm_test', [alarm('pass', 'Front Door')]);
    const done = await get(task.id);
    expect(done).toMatchObject({
      ...{ due: '2026-11-26', coveredUntil: '2026-11-26', completedOn: '2026-11-18' },
      completedByName: 'Aisha Khan',
    });
    expect(statusOf(done)).toBe('compliant');
    const { data } = await setting.admin.tasks.history.query({ id: task.id });
    expect(data.entries.every(({ command }) => ['tasks.create', 'checks.record'].includes(command))).toBe(
      true,
    );
  });

  test('finds what is in the log already when it is added', async () => {
    await record('fire_alarm_test', [alarm('pass', 'Front Door')]);
    expect(await add('alarm_test')).toMatchObject({ completedOn: '2026-11-18', due: '2026-11-26' });
  });

  test('is complete with every outlet in use; a part of them moves nothing, and a line not tested counts nothing', async () => {
    const [a, b, c] = [await asset('water_outlet'), await asset('water_outlet'), await asset('water_outlet')];
    const task = await add('flushing');
    await record('outlet_flushing', [flushed(a.id), flushed(b.id), notAttempted(c.id)]);
    expect(await get(task.id)).toMatchObject({
      ...{ completedOn: null, due: '2026-11-19' },
      coverage: { done: 2, of: 3, days: 1, daysOf: 1, until: '2026-11-19' },
    });
    setting.clock.set('2026-11-19T10:00:00.000Z');
    await record('outlet_flushing', [flushed(c.id)]);
    expect(await get(task.id)).toMatchObject({ completedOn: '2026-11-19', due: '2026-11-26' });
  });

  test('takes the due date from the last complete period, however late the next one is', async () => {
    const outlet = await asset('water_outlet');
    const other = await asset('water_outlet');
    const task = await add('flushing');
    await record('outlet_flushing', [flushed(outlet.id), flushed(other.id)]);
    setting.clock.set('2026-12-09T10:00:00.000Z');
    await record('outlet_flushing', [flushed(outlet.id)]);
    const partial = await get(task.id);
    expect(partial).toMatchObject({ completedOn: '2026-11-18', due: '2026-11-26' });
    expect(statusOf(partial)).toBe('non-compliant');
    await record('outlet_flushing', [flushed(other.id)]);
    expect(await get(task.id)).toMatchObject({ completedOn: '2026-12-09', due: '2026-12-17' });
  });

  test('is complete and marked by a visit with a failure, with its issue, until the retest passes', async () => {
    const task = await add('alarm_test');
    const receipt = await record('fire_alarm_test', [alarm('fail', 'Basement')]);
    const reference = receipt.raised[0]?.referenceNumber ?? '';
    const failed = await get(task.id);
    expect(failed).toMatchObject({
      ...{ completedOn: '2026-11-18', coveredUntil: '2026-11-26', markedOn: '2026-11-18' },
      markReason: taskMessages.checkFailed('Basement', reference, 0),
    });
    expect(statusOf(failed)).toBe('non-compliant');
    setting.clock.advance(60_000);
    await record('fire_alarm_test', [alarm('pass', 'Front Door')]);
    expect((await get(task.id)).markedOn).toBe('2026-11-18');
    setting.clock.advance(60_000);
    await record('fire_alarm_test', [alarm('pass', 'Basement')]);
    expect(await get(task.id)).toMatchObject({ markedOn: null, markReason: null, due: '2026-11-26' });
  });

  test('is judged again by an amendment, both ways', async () => {
    const outlet = await asset('water_outlet');
    const task = await add('flushing');
    const line = flushed(outlet.id);
    await record('outlet_flushing', [line]);
    const amend = (entryId: string, entry: { id: string }) =>
      setting.admin.checks.amend.mutate({
        ...operation(),
        kind: 'outlet_flushing',
        entryId,
        reason: 'Wrong tap',
        entry,
      } as never);
    const wrong = notAttempted(outlet.id);
    await amend(line.id, wrong);
    expect(await get(task.id)).toMatchObject({ completedOn: null, coveredUntil: null, due: '2026-11-19' });
    await amend(wrong.id, flushed(outlet.id));
    expect(await get(task.id)).toMatchObject({ completedOn: '2026-11-18', due: '2026-11-26' });
  });

  test('counts a held visit once it is accepted, by its own date', async () => {
    const task = await add('alarm_test');
    const services = setting.server.services;
    const stranger = await createPerson(services, { role: 'operative' });
    const phone = createTestClient(setting.server.url, await signInAs(setting.server, stranger));
    const visit = input('fire_alarm_test', [alarm('pass', 'Front Door')]);
    await phone.checks.record.mutate(visit);
    expect((await get(task.id)).completedOn).toBeNull();
    setting.clock.set('2026-11-24T10:00:00.000Z');
    await setting.admin.checks.decideHeld.mutate({ ...operation(), id: visit.visitId, accept: true });
    expect(await get(task.id)).toMatchObject({ completedOn: '2026-11-18', due: '2026-11-26' });
  });

  test('follows the schedule of the site: on two days of the week, or not at all', async () => {
    await setting.server.services.db
      .update(buildings)
      .set({ isHealthcare: true })
      .where(eq(buildings.id, site.id));
    const outlet = await asset('water_outlet');
    const task = await add('flushing');
    const plan = { ...{ buildingId: site.id, kind: 'outlet_flushing' as const }, from: '2026-11-13' };
    await setting.admin.checks.setSchedule.mutate({ ...operation(), ...plan, isDue: true, times: 2 });
    await record('outlet_flushing', [flushed(outlet.id)]);
    expect(await get(task.id)).toMatchObject({
      completedOn: null,
      coverage: { done: 0, of: 1, days: 1, daysOf: 2 },
    });
    setting.clock.set('2026-11-19T10:00:00.000Z');
    await record('outlet_flushing', [flushed(outlet.id)]);
    expect(await get(task.id)).toMatchObject({ completedOn: '2026-11-19', due: '2026-11-26' });

    const counted = async () =>
      (await setting.admin.tasks.overview.query()).data.buildings.find(
        ({ buildingId }) => buildingId === site.id,
      );
    expect(await counted()).toMatchObject({ compliant: 1, withoutTasks: false });
    await setting.admin.checks.setSchedule.mutate({ ...operation(), ...plan, isDue: false, times: 1 });
    expect(await get(task.id)).toMatchObject({ isDue: false, coverage: null });
    // The building has a task, which is not due.
    expect(await counted()).toMatchObject({ compliant: 0, nonCompliant: 0, withoutTasks: false });

    const { services, url } = setting.server;
    const person = await createPerson(services, { role: 'manager', buildings: [site.id] });
    const file = await fetch(`${url}/files/export/tasks.csv`, {
      headers: { cookie: await signInAs(setting.server, person) },
    });
    expect(await file.text()).toContain(',Not due here,No,,,');
  });

  test('is judged again on the day from which another schedule counts', async () => {
    const task = await add('alarm_test');
    const plan = { ...{ buildingId: site.id, kind: 'fire_alarm_test' as const }, from: '2026-11-27' };
    await setting.admin.checks.setSchedule.mutate({ ...operation(), ...plan, isDue: false, times: 1 });
    expect((await get(task.id)).isDue).toBe(true);
    setting.clock.set('2026-11-27T00:00:30.000Z');
    const since = new Date('2026-11-26T00:00:30.000Z');
    const { signal } = new AbortController();
    await lapseJob.run(setting.server.services, { since, until: setting.clock.now(), signal });
    expect((await get(task.id)).isDue).toBe(false);
  });

  test('knows the monthly lighting test and the annual one apart', async () => {
    const [a, b] = [await asset('emergency_light'), await asset('emergency_light')];
    const monthly = await add('lighting_function');
    const annual = await add('lighting_duration');
    expect([monthly.frequency, annual.frequency]).toEqual(['monthly', 'annually']);
    const lit = (id: string, testType: string) => ({
      ...lineOf('emergency_lighting_test', 'pass', id),
      testType,
      minutes: testType === 'annual_duration' ? 180 : null,
    });
    await record('emergency_lighting_test', [lit(a.id, 'monthly_function'), lit(b.id, 'monthly_function')]);
    expect(await get(monthly.id)).toMatchObject({ completedOn: '2026-11-18', due: '2026-12-31' });
    expect(await get(annual.id)).toMatchObject({ completedOn: null, due: '2026-11-18' });
    await record('emergency_lighting_test', [lit(a.id, 'annual_duration')]);
    expect(await get(annual.id)).toMatchObject({ completedOn: null, coverage: { done: 1, of: 2 } });
    setting.clock.set('2026-11-20T10:00:00.000Z');
    await record('emergency_lighting_test', [lit(b.id, 'annual_duration')]);
    // The grid is yearly from the day on which the task was added.
    expect(await get(annual.id)).toMatchObject({ completedOn: '2026-11-18', due: '2027-11-18' });
    expect((await get(monthly.id)).completedOn).toBe('2026-11-18');
  });

  test('is not completed, moved, marked or undone by hand', async () => {
    const { id, due } = await add('alarm_test');
    const { tasks } = setting.admin;
    const tries = [
      tasks.complete.mutate({ ...operation(), id, occurrence: 1, day: '2026-11-18' }),
      tasks.correct.mutate({ ...operation(), id, occurrence: 1, day: '2026-11-18' }),
      tasks.schedule.mutate({ ...operation(), id, due: { from: due, to: '2026-11-30' } }),
      tasks.mark.mutate({ ...operation(), id, reason: 'A fault' }),
      tasks.undo.mutate({ ...operation(), id, lineId: id, reason: 'Wrong' }),
      tasks.reschedule.mutate({ ...operation(), tasks: [{ id, occurrence: 1 }], due: '2026-11-30' }),
    ];
    for (const refused of await Promise.all(tries.map(refusalOf))) {
      expect(refused).toMatchObject({ code: 'invalid', message: taskMessages.byCheck });
    }
  });

  test('is there once for each building, also as a template', async () => {
    await add('alarm_test');
    expect(await refusalOf(add('alarm_test'))).toMatchObject({
      code: 'invalid',
      fields: { check: taskMessages.duplicateInUse },
    });
    const apply = { ...operation(), buildingId: site.id, templateIds: ['alarm-weekly-test', 'flushing'] };
    expect(await setting.admin.tasks.applyTemplates.mutate(apply)).toMatchObject({
      added: ['flushing'],
      leftOut: ['alarm-weekly-test'],
    });
  });

  test('is judged anew when an outlet is added, retired, restored, imported, or becomes another type', async () => {
    const outlet = await asset('water_outlet');
    const task = await add('flushing');
    await record('outlet_flushing', [flushed(outlet.id)]);
    const standing = async () => {
      const { completedOn, coverage } = await get(task.id);
      return [completedOn, coverage?.done, coverage?.of];
    };
    expect(await standing()).toEqual(['2026-11-18', 1, 1]);
    const { assets } = setting.admin;
    const id = uuidv7();
    const added = { id, buildingId: site.id, name: 'Sink', description: 'A tap', floorId: null };
    await assets.create.mutate({ ...operation(), ...added, type: 'water_outlet' });
    expect(await standing()).toEqual([null, 1, 2]);
    await assets.retire.mutate({ ...operation(), id });
    expect(await standing()).toEqual(['2026-11-18', 1, 1]);
    await assets.restore.mutate({ ...operation(), id });
    expect(await standing()).toEqual([null, 1, 2]);
    const to = (type: 'asset' | 'water_outlet') => (type === 'asset' ? 'water_outlet' : 'asset');
    const become = (type: 'asset' | 'water_outlet') =>
      assets.update.mutate({ ...operation(), id, changes: { type: { from: to(type), to: type } } });
    await become('asset');
    expect(await standing()).toEqual(['2026-11-18', 1, 1]);
    await become('water_outlet');
    expect(await standing()).toEqual([null, 1, 2]);
    const file = `Building Name,Name,Description,Type\n${site.name},Tap,A tap,Water Outlet`;
    const done = await runFile(setting.server.url, setting.adminCookie, 'assets', file);
    expect(done.at(-1)).toEqual({ result: { count: 1 } });
    expect(await standing()).toEqual([null, 1, 3]);
    const { data } = await setting.admin.tasks.history.query({ id: task.id });
    expect(new Set(data.entries.map(({ command }) => command))).toEqual(
      new Set(['tasks.create', 'checks.record', 'imports.assets', ...ASSET_COMMANDS]),
    );
  });

  test('counts what is added and flushed at the same time', async () => {
    const outlet = await asset('water_outlet');
    const task = await add('flushing');
    const adding = Array.from({ length: 8 }, (_, n) => ({
      ...{ id: uuidv7(), buildingId: site.id, name: `Tap ${n}`, description: 'A tap', floorId: null },
      ...{ ...operation(), type: 'water_outlet' as const },
    }));
    await Promise.all([
      record('outlet_flushing', [flushed(outlet.id)]),
      ...adding.map((input) => setting.admin.assets.create.mutate(input)),
    ]);
    expect((await get(task.id)).coverage).toMatchObject({ done: 1, of: 9 });
    await Promise.all([
      record('outlet_flushing', [flushed(outlet.id)]),
      ...adding.map(({ id }) => setting.admin.assets.retire.mutate({ ...operation(), id })),
    ]);
    expect((await get(task.id)).coverage).toMatchObject({ done: 1, of: 1 });
  });

  test('as a template is previewed by what the log tells', async () => {
    await record('fire_alarm_test', [alarm('pass', 'Front Door')]);
    const input = { buildingId: site.id, templateIds: ['alarm-weekly-test'] };
    const { planned } = (await setting.admin.tasks.templatePreview.query(input)).data;
    await setting.admin.tasks.applyTemplates.mutate({ ...operation(), ...input });
    const { tasks } = (await setting.admin.tasks.list.query({ buildingId: site.id })).data;
    expect(planned).toEqual([
      {
        templateId: 'alarm-weekly-test',
        taskNumber: tasks[0]?.taskNumber,
        due: '2026-11-26',
        completedOn: '2026-11-18',
        isDue: true,
      },
    ]);
    expect(tasks[0]).toMatchObject({ due: '2026-11-26', completedOn: '2026-11-18' });
  });

  test('is judged anew when it is restored', async () => {
    const { id } = await add('alarm_test');
    await setting.admin.tasks.retire.mutate({ ...operation(), id, reason: 'Closed' });
    await record('fire_alarm_test', [alarm('pass', 'Front Door')]);
    expect((await get(id)).completedOn).toBeNull();
    await setting.admin.tasks.restore.mutate({ ...operation(), id });
    expect((await get(id)).completedOn).toBe('2026-11-18');
  });
});
