import { and, eq, gt, inArray, isNull, lt, max, or, sql } from 'drizzle-orm';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import { addDays, DAY_MS, dayOf, instantOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { traced } from '../adapters/tracing/trace.ts';
import type { Services } from './context.ts';
import { describeError } from './database-errors.ts';
import { CLOCKS_AGREE_MS } from './server-clock.ts';

/**
 * Work that is due at a time rather than on request. Features declare their jobs, and `boot/timed-jobs.ts` collects
 * them. Among all processes of a database, only one runs a job at a time.
 */
export type TimedJob = {
  /** Key of its row in `timed_jobs`. Never rename it: the new name would count as never run. */
  name: string;
  schedule: Schedule;
  /** Jobs of a queue run one after another; jobs of other queues run at the same time. Absent: the queue of short jobs. */
  queue?: string;
  /**
   * Does the work that is due. A killed run is repeated, so the job must cope with work that is partly done.
   * @param span.since end of the last run's span; long ago if no server was running
   * @param span.until now, by the server's clock
   * @param span.wasAhead set if the last run's time is in the future: times that this run stored may be in the future, too
   * @param span.signal aborted when the server stops, which waits for the run; an error then leaves the job due
   */
  run(services: Services, span: JobSpan): Promise<void>;
};

export type JobSpan = { since: Date; until: Date; wasAhead?: true; signal: AbortSignal };

/** Returns when a job that ran at a moment is due again. Called at each check, so changed settings count at once. */
export type Schedule = (ranAt: Date, services: Services) => Date | Promise<Date>;

/** Due at a fixed interval in milliseconds. */
export const every =
  (ms: number) =>
  (ranAt: Date): Date =>
    new Date(ranAt.getTime() + ms);

/**
 * Due once a day at a wall-clock time. Several missed days are made up for in one run.
 * @param time such as "00:00"; if the change to summer time skips it, the moment after the gap is used
 */
export const dailyAt =
  (time: string, timeZone: string) =>
  (ranAt: Date): Date => {
    const today = dayOf(ranAt, timeZone);
    const first = instantOf(today, time, timeZone);
    return new Date(first > ranAt.getTime() ? first : instantOf(addDays(today, 1), time, timeZone));
  };

/** Interval in milliseconds at which a process checks for due jobs; a job starts at most this late. */
const LOOK_EVERY_MS = 15_000;
/**
 * Duration of a job's lease in milliseconds. A run renews it three times in that time; if the process is killed,
 * another process takes over when it expires.
 */
const LEASE_MS = 60_000;
/**
 * How far the span of a run goes back if the last run's time is in the future, because its true time is then unknown. No
 * server that an operator looks after is down for longer. Jobs cope with work that is done already.
 */
const BACK_MS = 31 * DAY_MS;

export type TimedJobsOptions = { lookEveryMs?: number; leaseMs?: number };

/**
 * Runs jobs when they are due, beginning with those that fell due while no server ran. A failure is logged, and the job is
 * tried again at the next check. While the clock is in doubt, all jobs wait.
 * @returns a function that stops the runner, and waits for the runs in progress, whose signal it aborts
 */
export function startTimedJobs(
  services: Services,
  jobs: readonly TimedJob[],
  { lookEveryMs = LOOK_EVERY_MS, leaseMs = LEASE_MS }: TimedJobsOptions = {},
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const running = new Map<string | undefined, Promise<void>>();
  const stopping = new AbortController();

  async function look(): Promise<void> {
    try {
      services.clockHealth.sawLastRun(await latestAhead(services, jobs));
    } catch (error) {
      services.log.warn({ causes: describeError(error) }, 'the last runs of timed jobs could not be read');
      return;
    }
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      if (running.has(queue)) continue;
      running.set(
        queue,
        runQueue(queue).finally(() => running.delete(queue)),
      );
    }
  }
  async function runQueue(queue: string | undefined): Promise<void> {
    for (const job of jobs.filter((one) => one.queue === queue)) {
      if (stopping.signal.aborted) return;
      try {
        await runIfDue(services, job, { leaseMs, signal: stopping.signal });
      } catch (error) {
        // A run that was ended by the stop is continued after the next start.
        if (stopping.signal.aborted) return;
        services.log.warn({ job: job.name, causes: describeError(error) }, 'a timed job failed');
      }
    }
  }
  function lookOnce(): void {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }
  const timer = setInterval(lookOnce, lookEveryMs);
  timer.unref();
  lookOnce();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await looking;
    await Promise.all(running.values());
  };
}

/**
 * Runs a job if it is due, no other process holds its lease, and the clock is not in doubt. If the last run's time is in the
 * future, either the clock of that run was wrong, or this one is: the job waits until the clock is settled, and is then due.
 * @returns whether it ran
 */
export async function runIfDue(
  services: Services,
  job: TimedJob,
  { leaseMs = LEASE_MS, signal = new AbortController().signal } = {},
): Promise<boolean> {
  const { db, clock, clockHealth } = services;
  if (clockHealth.doubt() !== undefined) return false;
  const until = clock.now();
  const ranAt = await lastRun(services, job);
  const wasAhead = isAhead(ranAt, until);
  if (wasAhead ? !clockHealth.isSettled() : (await job.schedule(ranAt, services)) > until) return false;
  const runId = uuidv7();
  const lease = { runId, leasedUntil: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` };
  const [claimed] = await db
    .update(timedJobs)
    .set(lease)
    .where(
      and(
        eq(timedJobs.name, job.name),
        // Matches only if no other process has run it since it was read.
        eq(timedJobs.ranAt, ranAt.toISOString()),
        or(
          isNull(timedJobs.leasedUntil),
          lt(timedJobs.leasedUntil, sql`clock_timestamp()`),
          // No lease is this long: it was written while the database's clock was ahead.
          gt(
            timedJobs.leasedUntil,
            sql`${lease.leasedUntil} + ${CLOCKS_AGREE_MS} * interval '1 millisecond'`,
          ),
        ),
      ),
    )
    .returning({ name: timedJobs.name });
  if (claimed === undefined) return false;

  const mine = and(eq(timedJobs.name, job.name), eq(timedJobs.runId, runId));
  const renewal = setInterval(() => {
    db.update(timedJobs)
      .set(lease)
      .where(mine)
      .catch((error: unknown) =>
        services.log.warn({ job: job.name, causes: describeError(error) }, 'a lease could not be renewed'),
      );
  }, leaseMs / 3);
  const released = { runId: null, leasedUntil: null };
  try {
    const since = wasAhead ? new Date(until.getTime() - BACK_MS) : ranAt;
    const span = { since, until, signal, ...(wasAhead && { wasAhead }) };
    await traced(`job ${job.name}`, {}, () => job.run(services, span));
    await db
      .update(timedJobs)
      .set({ ...released, ranAt: until.toISOString() })
      .where(mine);
  } catch (error) {
    // If this fails too, the lease expires after `leaseMs`.
    await db
      .update(timedJobs)
      .set(released)
      .where(mine)
      .catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
  return true;
}

/** Whether a run's time is in the future. Up to a minute is the difference between two processes' clocks. */
function isAhead(ranAt: Date, now: Date): boolean {
  return ranAt.getTime() - now.getTime() > CLOCKS_AGREE_MS;
}

/** Returns the latest run of the jobs if its time is in the future. */
async function latestAhead({ db, clock }: Services, jobs: readonly TimedJob[]): Promise<Date | undefined> {
  const names = jobs.map(({ name }) => name);
  const [latest] = await db
    .select({ ranAt: max(timedJobs.ranAt) })
    .from(timedJobs)
    .where(inArray(timedJobs.name, names));
  const ranAt = latest?.ranAt == null ? undefined : new Date(latest.ranAt);
  return ranAt !== undefined && isAhead(ranAt, clock.now()) ? ranAt : undefined;
}

/** Returns when the job last ran. Its row is made at the first check, and that moment counts as a run. */
async function lastRun({ db, clock }: Services, { name }: TimedJob): Promise<Date> {
  const find = () => db.select({ ranAt: timedJobs.ranAt }).from(timedJobs).where(eq(timedJobs.name, name));
  const [known] = await find();
  if (known !== undefined) return new Date(known.ranAt);
  await db.insert(timedJobs).values({ name, ranAt: clock.now().toISOString() }).onConflictDoNothing();
  const [made] = await find();
  if (made === undefined) throw new Error(`the row of the timed job "${name}" is missing`);
  return new Date(made.ranAt);
}
