import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import { addDays, dayOf, instantOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Services } from './context.ts';
import { describeError } from './database-errors.ts';

/**
 * Work that is due by time and not by a call. A feature declares its jobs, and `boot/timed-jobs.ts` gathers them.
 * However many processes share a database, one of them runs a job at a time.
 */
export type TimedJob = {
  /** Its row in `timed_jobs`: never renamed, or the new name begins as if it had never run. */
  name: string;
  schedule: Schedule;
  /**
   * Does what is due. It may be ended in the middle by a kill and is then run again, so it must be able to find part
   * of its work done.
   * @param span.since the end of the last run's span: after a time without a server it is long ago
   * @param span.until now, by the server's clock
   */
  run(services: Services, span: { since: Date; until: Date }): Promise<void>;
};

/** When a job that has run at a moment is due again. */
export type Schedule = (ranAt: Date) => Date;

/** At an interval in milliseconds from run to run. */
export const every =
  (ms: number): Schedule =>
  (ranAt) =>
    new Date(ranAt.getTime() + ms);

/**
 * Once a day at a wall-clock time. Missed days are caught up in one run.
 * @param time "00:00"; where the clocks skip it, the moment they jump to
 */
export const dailyAt =
  (time: string, timeZone?: string): Schedule =>
  (ranAt) => {
    const today = dayOf(ranAt, timeZone);
    const first = instantOf(today, time, timeZone);
    return new Date(first > ranAt.getTime() ? first : instantOf(addDays(today, 1), time, timeZone));
  };

/** How often a process looks whether anything is due, in milliseconds: a job begins at most so late. */
const LOOK_EVERY_MS = 15_000;
/**
 * How long a run may be silent before another process takes its job over, in milliseconds. A run renews its lease three
 * times in that time; one whose process was killed cannot.
 */
const LEASE_MS = 60_000;

export type TimedJobsOptions = { lookEveryMs?: number; leaseMs?: number };

/**
 * Runs jobs when they are due: now, for those that fell due while no server ran, and then as time goes on. What fails
 * is logged, and tried again at the next look.
 * @returns what ends it, once a run that is under way is over
 */
export function startTimedJobs(
  services: Services,
  jobs: readonly TimedJob[],
  { lookEveryMs = LOOK_EVERY_MS, leaseMs = LEASE_MS }: TimedJobsOptions = {},
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    for (const job of jobs) {
      if (stopped) return;
      try {
        await runIfDue(services, job, leaseMs);
      } catch (error) {
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
    stopped = true;
    clearInterval(timer);
    await looking;
  };
}

/** @returns whether it was due, and no other process was running it */
export async function runIfDue(services: Services, job: TimedJob, leaseMs = LEASE_MS): Promise<boolean> {
  const { db, clock } = services;
  const until = clock.now();
  const since = await lastRun(services, job);
  if (job.schedule(since) > until) return false;
  const runId = uuidv7();
  const lease = { runId, leasedUntil: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` };
  const [claimed] = await db
    .update(timedJobs)
    .set(lease)
    .where(
      and(
        eq(timedJobs.name, job.name),
        // Another process may have run it since it was read.
        eq(timedJobs.ranAt, since.toISOString()),
        or(isNull(timedJobs.leasedUntil), lt(timedJobs.leasedUntil, sql`clock_timestamp()`)),
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
    await job.run(services, { since, until });
    await db
      .update(timedJobs)
      .set({ ...released, ranAt: until.toISOString() })
      .where(mine);
  } catch (error) {
    // Where this fails, too, the lease ends by itself.
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

/** A job that has never run counts as run when its row is made, which is at the first look. */
async function lastRun({ db, clock }: Services, { name }: TimedJob): Promise<Date> {
  const find = () => db.select({ ranAt: timedJobs.ranAt }).from(timedJobs).where(eq(timedJobs.name, name));
  const [known] = await find();
  if (known !== undefined) return new Date(known.ranAt);
  await db.insert(timedJobs).values({ name, ranAt: clock.now().toISOString() }).onConflictDoNothing();
  const [made] = await find();
  if (made === undefined) throw new Error(`the row of the timed job "${name}" is missing`);
  return new Date(made.ranAt);
}
