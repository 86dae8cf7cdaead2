import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import type { Services } from '#server/kernel/context.ts';
import type { ClockHealth } from '#server/kernel/server-clock.ts';
import {
  dailyAt,
  every,
  type JobSpan,
  runIfDue,
  startTimedJobs,
  type TimedJob,
} from '#server/kernel/timed-jobs.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let servers: TestServer[];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = await Promise.all([startTestServer(database), startTestServer(database)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

/** Returns the services of a separate process, with a clock that the test sets. */
function processAt(clock: { now: Date }, which = 0): Services {
  const server = servers[which];
  if (server === undefined) throw new Error('there are two servers');
  return { ...server.services, clock: { now: () => clock.now } };
}

/** The services of such a process, with another health of its clocks. */
function withHealth(clock: { now: Date }, health: Partial<ClockHealth>): Services {
  const services = processAt(clock);
  return { ...services, clockHealth: { ...services.clockHealth, ...health } };
}

let number = 0;
function jobThat(run: TimedJob['run'], schedule = every(HOUR_MS)): TimedJob {
  number += 1;
  return { name: `test ${number}`, schedule, run };
}

/** Returns a promise and the function that resolves it. */
function signal(): [Promise<void>, () => void] {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return [promise, resolve];
}

const start = new Date('2026-03-28T12:00:00.000Z');
const later = (ms: number) => new Date(start.getTime() + ms);

describe('a timed job', () => {
  test('runs when it is due and not before, and is told of the time since its last run', async () => {
    const clock = { now: start };
    const spans: string[][] = [];
    const job = jobThat(async (_services, { since, until }) => {
      spans.push([since.toISOString(), until.toISOString()]);
    });
    const look = () => runIfDue(processAt(clock), job);
    expect(await look()).toBe(false);
    clock.now = later(HOUR_MS - 1);
    expect(await look()).toBe(false);
    clock.now = later(HOUR_MS);
    expect([await look(), await look()]).toEqual([true, false]);
    // No server ran for three days: one run covers the whole time.
    clock.now = later(3 * DAY_MS);
    expect([await look(), await look()]).toEqual([true, false]);
    expect(spans).toEqual([
      [start.toISOString(), later(HOUR_MS).toISOString()],
      [later(HOUR_MS).toISOString(), later(3 * DAY_MS).toISOString()],
    ]);
  });

  test('runs once, however many processes look at the same moment', async () => {
    const clock = { now: start };
    let runs = 0;
    const job = jobThat(async () => {
      runs += 1;
    });
    const lookAll = () =>
      Promise.all(Array.from({ length: 12 }, (_, n) => runIfDue(processAt(clock, n % 2), job)));
    expect((await lookAll()).filter(Boolean)).toEqual([]);
    for (let hour = 1; hour <= 5; hour += 1) {
      clock.now = later(hour * HOUR_MS);
      expect((await lookAll()).filter(Boolean)).toEqual([true]);
      expect(runs).toBe(hour);
    }
  });

  test('that fails is due again at once, for the same span', async () => {
    const clock = { now: start };
    const since: string[] = [];
    let fails = true;
    const job = jobThat(async (_services, span) => {
      since.push(span.since.toISOString());
      if (fails) throw new Error('not today');
    });
    await runIfDue(processAt(clock), job);
    clock.now = later(HOUR_MS);
    await expect(runIfDue(processAt(clock), job)).rejects.toThrow('not today');
    fails = false;
    expect(await runIfDue(processAt(clock, 1), job)).toBe(true);
    expect(since).toEqual([start.toISOString(), start.toISOString()]);
  });

  test('is left alone while its process renews the lease, and taken over when that has ended', async () => {
    const clock = { now: start };
    const [held, release] = signal();
    let runs = 0;
    const job = jobThat(async () => {
      runs += 1;
      await held;
    });
    await runIfDue(processAt(clock), job);
    clock.now = later(HOUR_MS);
    const first = runIfDue(processAt(clock), job, { leaseMs: 300 });
    const { db } = processAt(clock);
    const lease = async () =>
      (await db.select().from(timedJobs).where(eq(timedJobs.name, job.name)))[0]?.leasedUntil ?? '';
    await expect.poll(lease).not.toBe('');
    const taken = await lease();
    await expect.poll(lease).not.toBe(taken);
    expect([await runIfDue(processAt(clock, 1), job), runs]).toEqual([false, 1]);
    release();
    expect(await first).toBe(true);

    // A process killed during a run does not renew its lease.
    clock.now = later(2 * HOUR_MS);
    await db
      .update(timedJobs)
      .set({
        runId: '01900000-0000-7000-8000-000000000000',
        leasedUntil: new Date(Date.now() - 1).toISOString(),
      })
      .where(eq(timedJobs.name, job.name));
    expect([await runIfDue(processAt(clock, 1), job), runs]).toEqual([true, 2]);
  });

  test('is not held by a lease that the database made while its clock was ahead', async () => {
    const clock = { now: start };
    let runs = 0;
    const job = jobThat(async () => {
      runs += 1;
    });
    await runIfDue(processAt(clock), job);
    clock.now = later(HOUR_MS);
    const leasedUntil = new Date(Date.now() + 10 * DAY_MS).toISOString();
    await processAt(clock)
      .db.update(timedJobs)
      .set({ runId: '01900000-0000-7000-8000-000000000000', leasedUntil })
      .where(eq(timedJobs.name, job.name));
    expect([await runIfDue(processAt(clock), job), runs]).toEqual([true, 1]);
  });

  test('waits while the clock is in doubt, and runs once for the whole time when it is not', async () => {
    const clock = { now: start };
    const spans: string[] = [];
    const job = jobThat(async (_services, { since }) => void spans.push(since.toISOString()));
    await runIfDue(processAt(clock), job);
    clock.now = later(3 * HOUR_MS);
    expect(await runIfDue(withHealth(clock, { doubt: () => 'it is in doubt' }), job)).toBe(false);
    expect([await runIfDue(processAt(clock), job), await runIfDue(processAt(clock), job)]).toEqual([
      true,
      false,
    ]);
    expect(spans).toEqual([start.toISOString()]);
  });

  test('that ran last in the future waits until the clock is settled, and makes up for the time since', async () => {
    const clock = { now: later(10 * DAY_MS) };
    const spans: Omit<JobSpan, 'signal'>[] = [];
    const job = jobThat(async (_services, { signal: _, ...span }) => void spans.push(span));
    await runIfDue(processAt(clock), job);
    clock.now = later(2 * DAY_MS);
    expect(await runIfDue(withHealth(clock, { isSettled: () => false }), job)).toBe(false);
    const settled = withHealth(clock, { isSettled: () => true });
    expect([await runIfDue(settled, job), await runIfDue(settled, job)]).toEqual([true, false]);
    expect(spans).toEqual([{ since: later(-29 * DAY_MS), until: later(2 * DAY_MS), wasAhead: true }]);
  });

  test('that ran last by the clock of a process that is less than a minute ahead is no matter', async () => {
    const clock = { now: later(60_000) };
    const job = jobThat(async () => undefined);
    await runIfDue(processAt(clock), job);
    clock.now = start;
    const settled = withHealth(clock, { isSettled: () => true });
    expect(await runIfDue(settled, job)).toBe(false);
  });

  test('is ended with its server: a run that is under way is over before the stop is', async () => {
    const clock = { now: start };
    const [begun, begin] = signal();
    let over = false;
    const job = jobThat(async () => {
      begin();
      await new Promise(setImmediate);
      over = true;
    });
    await runIfDue(processAt(clock), job);
    clock.now = later(HOUR_MS);
    const stop = startTimedJobs(processAt(clock), [job], { lookEveryMs: 20 });
    await begun;
    await stop();
    expect(over).toBe(true);
  });

  test('does not hold up jobs of another queue, hears of the stop, and is due again', async () => {
    const clock = { now: start };
    const [begun, begin] = signal();
    const [ran, run] = signal();
    const long: TimedJob = {
      ...jobThat(async (_services, span) => {
        begin();
        await new Promise((_, reject) => {
          span.signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      }),
      queue: 'long',
    };
    const short = jobThat(async () => run());
    for (const job of [long, short]) await runIfDue(processAt(clock), job);
    clock.now = later(HOUR_MS);
    const stop = startTimedJobs(processAt(clock), [long, short], { lookEveryMs: 20 });
    await begun;
    await ran;
    await stop();
    expect(await runIfDue(processAt(clock), { ...long, run: async () => undefined })).toBe(true);
  });
});

describe('once a day', () => {
  test.each([
    ['before that time', '2026-01-10T22:00:00Z', '2026-01-11T00:00:00.000Z'],
    ['at that time', '2026-01-11T00:00:00Z', '2026-01-12T00:00:00.000Z'],
    ['in summer', '2026-07-10T22:00:00Z', '2026-07-10T23:00:00.000Z'],
    ['over the night in which the clocks go forward', '2026-03-28T12:00:00Z', '2026-03-29T00:00:00.000Z'],
    ['the day after', '2026-03-29T00:00:00Z', '2026-03-29T23:00:00.000Z'],
  ])('midnight in London comes after a run %s', (_when, ranAt, next) => {
    expect(dailyAt('00:00', 'Europe/London')(new Date(ranAt)).toISOString()).toBe(next);
  });
});
