import { max, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { outbox, streamHead } from '#db/schema/live.ts';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import { HOUR_MS } from '#shared/dates.ts';
import type { HealthProblem, HealthStatus } from '#shared/features/health/health.ts';
import { healthMessages } from '#shared/features/health/health-messages.ts';
import { countAdministrators } from '../../access/people.ts';
import { isReachable } from '../../adapters/network/loopback.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { Services } from '../../kernel/context.ts';
import { VERSION } from '../../kernel/version.ts';

/** The sweep runs hourly; a single run that takes long or fails is not reported. */
const JOBS_LATE_MS = 3 * HOUR_MS;
/** Committed changes normally get their position within milliseconds. */
const WAITING_MAX_SECONDS = 10;

type Parts = Pick<Services, 'env' | 'clock' | 'clockHealth' | 'disk' | 'saves'> & { db: Queryable };

/** Reads the state of the installation, and its problems with advice on what to do. */
export async function readHealth(services: Parts): Promise<HealthStatus> {
  const { db, env, clock, disk } = services;
  const [database, diskFree, jobsRanAt] = await Promise.all([readDatabase(db), disk.left(), readLastJob(db)]);
  const { waitingSeconds, ...rest } = database;
  const now = clock.now();
  return {
    version: VERSION,
    startedAt: new Date(now.getTime() - process.uptime() * 1_000).toISOString(),
    publicUrl: env.publicUrl ?? null,
    database: { ...rest, isOwn: env.databaseUrl === undefined },
    diskFree,
    mailFrom: env.mail?.from ?? null,
    jobsRanAt,
    problems: await findProblems(services, { diskFree, jobsRanAt, waitingSeconds, now }),
  };
}

async function findProblems(
  { db, env, clockHealth, disk, saves }: Parts,
  read: { diskFree: number; jobsRanAt: string | null; waitingSeconds: number; now: Date },
): Promise<HealthProblem[]> {
  const { diskFree, jobsRanAt, waitingSeconds, now } = read;
  const doubt = clockHealth.doubt();
  const isLate = jobsRanAt !== null && now.getTime() - Date.parse(jobsRanAt) > JOBS_LATE_MS;
  const problems: (HealthProblem | false)[] = [
    !(await saves.canSave()) && healthMessages.cannotSave,
    (await disk.isLow()) && healthMessages.diskLow(diskFree),
    doubt !== undefined && healthMessages.clock(doubt),
    waitingSeconds > WAITING_MAX_SECONDS && healthMessages.notSequenced,
    // Jobs wait on purpose while the time is in doubt.
    isLate && doubt === undefined && healthMessages.jobsLate,
    isReachable(env) && !isSecure(env) && healthMessages.plainHttp,
    (await countAdministrators(db)) < 2 && healthMessages.oneAdministrator,
  ];
  return problems.filter((problem) => problem !== false);
}

async function readDatabase(
  db: Queryable,
): Promise<Omit<HealthStatus['database'], 'isOwn'> & { waitingSeconds: number }> {
  const [row] = await db.execute<{ version: string; bytes: string; events: string; waiting: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
      (select g::text from ${streamHead}) as events,
      (select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 from ${outbox}) as waiting`);
  if (row === undefined) throw new Error('a select of one row answered nothing');
  const { version, bytes, events, waiting } = row;
  return { version, bytes: Number(bytes), events: Number(events), waitingSeconds: waiting };
}

async function readLastJob(db: Queryable): Promise<string | null> {
  const [row] = await db.select({ ranAt: max(timedJobs.ranAt) }).from(timedJobs);
  return row?.ranAt ?? null;
}
