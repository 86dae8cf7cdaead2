import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { events } from '#db/schema/live.ts';
import { buildingPulses } from '#db/schema/pulse.ts';
import { taskLapses } from '#db/schema/tasks.ts';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import { lastRuns } from '#scripts/admin/doctor-last-runs.ts';
import { timedJobsOf } from '#server/boot/timed-jobs.ts';
import { movePulses } from '#server/features/pulse/move.job.ts';
import { runIfDue } from '#server/kernel/timed-jobs.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { STEADY_MS, type TestSources, testSources } from '#tests/support/server/clock-sources.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A server whose wall clock and database are set to another time together, as happens if both are on one machine.

const START = '2026-03-28T12:00:00.000Z';
const TEN_DAYS = 10 * DAY_MS;
const OFTEN = 20;
/** So rare that timed jobs run only when a test runs them. */
const SELDOM = { lookEveryMs: DAY_MS };

let setting: LiveSetting;
let sources: TestSources;

beforeEach(async () => {
  sources = testSources(START);
  setting = await createLiveSetting(optionsOf({ lookEveryMs: OFTEN }));
});
afterEach(() => setting.end());

function optionsOf(timed: { lookEveryMs: number }) {
  return { clockParts: { ...sources, beatMs: OFTEN }, timedJobs: timed };
}

async function ready(server: Pick<TestServer, 'url'> = setting.server): Promise<[number, string]> {
  const response = await fetch(`${server.url}/readyz`);
  return [response.status, await response.text()];
}
const OK = [200, 'ok\n'];
const inDoubt = (text: string) => [200, expect.stringContaining(text)];

/** Adds a task that is covered for three more days, and is overdue after that. */
async function addTask(): Promise<string> {
  const id = uuidv7();
  await setting.admin.client.tasks.create.mutate({
    operationId: uuidv7(),
    id,
    buildingId: setting.here.id,
    complianceSystem: 'Fire Alarm',
    taskDescription: 'Weekly test',
    frequency: 'weekly',
    lastDone: '2026-03-24',
  });
  return id;
}
const lapses = async () => (await setting.server.services.db.select().from(taskLapses)).length;
const overdue = async ({ client } = setting.admin) => {
  const { data } = await client.pulse.get.query({ buildingId: setting.here.id });
  return data.tasks.overdue;
};
async function runsOf({ services }: Pick<TestServer, 'services'>): Promise<boolean[]> {
  const ran: boolean[] = [];
  for (const job of timedJobsOf({})) ran.push(await runIfDue(services, job));
  return ran;
}
async function allLastRuns(): Promise<string[]> {
  const rows = await setting.server.services.db.select().from(timedJobs);
  return rows.map(({ ranAt }) => ranAt);
}
const doctorSays = () => lastRuns({ sql: setting.owner.sql, stores: setting.server.services });
const at = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

test('ten days ahead for a while: nothing lapses, saves go on by the time that passes, and timed jobs run afterwards', async () => {
  await addTask();
  expect([await ready(), await lapses(), await overdue()]).toEqual([OK, 0, 0]);

  sources.pass(HOUR_MS / 2);
  sources.set({ machine: TEN_DAYS, database: TEN_DAYS });
  await expect.poll(() => ready()).toEqual(inDoubt('864000 s ahead'));
  // The hourly sweep becomes due.
  sources.pass(HOUR_MS / 2);
  expect(await runsOf(setting.server)).toEqual([false, false, false]);
  const issueId = await setting.report(setting.here);
  const { data: issue } = await setting.admin.client.issues.get.query({ id: issueId });
  expect(issue.createdAt).toBe(at(HOUR_MS));
  const { db } = setting.server.services;
  await setting.newest();
  const written = await db.select({ at: events.at }).from(events).where(eq(events.entityId, issueId));
  expect(written.map((event) => event.at)).toEqual([at(HOUR_MS)]);
  expect([await lapses(), await overdue(), (await allLastRuns()).filter((ranAt) => ranAt > START)]).toEqual([
    0,
    0,
    [],
  ]);

  sources.set({ machine: -TEN_DAYS, database: -TEN_DAYS });
  await expect.poll(() => ready()).toEqual(OK);
  await expect.poll(allLastRuns).toContain(at(HOUR_MS));
  expect([await lapses(), await overdue()]).toEqual([0, 0]);
  const said = setting.server.logged.filter((line) => line.includes('the clock is in doubt'));
  expect(said.map((line) => JSON.parse(line).msg)).toEqual([
    'the clock is in doubt: timed jobs wait',
    'the clock is in doubt no longer: timed jobs run again',
  ]);

  // Now the ten days really pass.
  sources.pass(TEN_DAYS);
  await expect.poll(lapses).toBe(1);
  const later = await setting.someone('admin');
  await expect.poll(() => overdue(later)).toBe(1);
});

test('a run ten days ahead puts timed jobs off for an hour, not for ten days, and its figures are put right', async () => {
  await addTask();
  const { db } = setting.server.services;
  const other = await startTestServer(setting.database, optionsOf(SELDOM));
  try {
    // The state that a server with a wrong clock leaves.
    await movePulses(setting.server.services, new Date(at(TEN_DAYS)));
    await db.update(timedJobs).set({ ranAt: at(TEN_DAYS) });
    expect(await overdue()).toBe(1);

    await expect.poll(() => ready()).toEqual(inDoubt('a timed job ran last in the future'));
    expect(await runsOf(other)).toEqual([false, false, false]);
    expect((await doctorSays()).map(({ good }) => good)).toEqual([false, false, false]);
    sources.pass(STEADY_MS);
    await expect.poll(() => ready()).toEqual(OK);
    await expect.poll(async () => new Set(await allLastRuns())).toEqual(new Set([at(STEADY_MS)]));
    expect(await doctorSays()).toEqual([{ good: true, text: 'no timed job ran last in the future' }]);
    expect([await overdue(), await lapses()]).toEqual([0, 0]);
    const [pulse] = await db
      .select()
      .from(buildingPulses)
      .where(eq(buildingPulses.buildingId, setting.here.id));
    expect([pulse?.day, pulse?.movedAt]).toEqual(['2026-03-28', at(STEADY_MS)]);
    expect(setting.server.logged.join('')).not.toContain('differed from what they count');

    sources.pass(TEN_DAYS);
    await expect.poll(lapses).toBe(1);
  } finally {
    await other.stop();
  }
});

test('a machine whose clock differs from the database’s takes its time, and leaves timed jobs to others', async () => {
  const apart = testSources(START);
  apart.set({ machine: TEN_DAYS });
  const other = await startTestServer(setting.database, {
    clockParts: { ...apart, beatMs: OFTEN },
    timedJobs: SELDOM,
  });
  try {
    expect(await ready(other)).toEqual(inDoubt("the machine's is 864000 s ahead"));
    expect(other.services.clock.now().toISOString()).toBe(START);
    sources.pass(HOUR_MS);
    apart.pass(HOUR_MS);
    expect(await runsOf(other)).toEqual([false, false, false]);
    await expect.poll(allLastRuns).toContain(at(HOUR_MS));
    await expect.poll(() => ready()).toEqual(OK);
    const metrics = await (await fetch(`${other.url}/metrics`)).text();
    expect(metrics).toContain('lintel_clock_in_doubt 1\n');
    expect(metrics).toContain('lintel_clock_machine_ahead_seconds 864000\n');
  } finally {
    await other.stop();
  }
});
