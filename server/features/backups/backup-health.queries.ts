import { inArray } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { timedJobs } from '#db/schema/timed-jobs.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun } from '#shared/features/backups/backups.ts';
import type { Env } from '../../kernel/env.ts';
import { BACKUP_JOB, type LastRuns, readLastRuns, VERIFICATION_JOB } from './backup-runs.ts';
import { repositoryName } from './repository.ts';

/** Backups are daily and retried hourly: if none has succeeded for this long, they keep failing or hang. */
const MADE_WITHIN_MS = 2 * DAY_MS;
/** Verification is weekly, and failures are retried daily. */
const VERIFIED_WITHIN_MS = 9 * DAY_MS;
/** A run dated further in the future than this was recorded while the clock was wrong. */
const AHEAD_MS = HOUR_MS;

/** The last backup and verification runs, and the problems that follow from them. */
export type BackupHealth = {
  made: LastRuns;
  verified: LastRuns;
  /** Sentences for the administrator. Empty if all is well, or if scheduled backups are off. */
  problems: string[];
};

/** Reads the last runs in the configured repository, and derives the problems. */
export async function readBackupHealth(
  db: Queryable,
  { backupTo }: Pick<Env, 'backupTo'>,
  now: Date,
): Promise<BackupHealth> {
  const repository = backupTo === undefined ? undefined : repositoryName(backupTo);
  const { backup: made, verification: verified } = await readLastRuns(db, repository);
  if (backupTo === undefined) return { made, verified, problems: [] };
  const jobs = await db
    .select({ name: timedJobs.name, ranAt: timedJobs.ranAt })
    .from(timedJobs)
    .where(inArray(timedJobs.name, [BACKUP_JOB, VERIFICATION_JOB]));
  const ranAt = (name: string) => jobs.find((job) => job.name === name)?.ranAt;
  const waiting = { made: ranAt(BACKUP_JOB), verified: ranAt(VERIFICATION_JOB) };
  return { made, verified, problems: problemsOf({ made, verified, waiting }, now) };
}

/**
 * Derives the problems of scheduled backups, as sentences for the administrator.
 * @param runs.waiting the time since which a first run is due, ISO; undefined if the time is not known
 */
export function problemsOf(
  {
    made,
    verified,
    waiting,
  }: Omit<BackupHealth, 'problems'> & {
    waiting: { made: string | undefined; verified: string | undefined };
  },
  now: Date,
): string[] {
  const ageOf = (at: string) => now.getTime() - Date.parse(at);
  const problems: string[] = [];
  const { good } = made;
  if (made.last !== undefined && made.last.problem !== null) {
    problems.push(backupMessages.failed(made.last.problem));
  } else if (good === undefined) {
    if (waiting.made !== undefined && ageOf(waiting.made) > MADE_WITHIN_MS)
      problems.push(backupMessages.noneMade);
  } else if (ageOf(good.startedAt) < -AHEAD_MS) {
    problems.push(backupMessages.ahead);
  } else if (ageOf(good.startedAt) > MADE_WITHIN_MS) {
    problems.push(backupMessages.old(Math.floor(ageOf(good.startedAt) / DAY_MS)));
  }
  if (good !== undefined && good.lost > 0) problems.push(backupMessages.lost(good.lost));

  if (verified.last !== undefined && verified.last.problem !== null) {
    problems.push(backupMessages.notVerified(verified.last.problem));
  } else {
    const since = verified.good?.startedAt ?? (good === undefined ? undefined : waiting.verified);
    if (since !== undefined && ageOf(since) > VERIFIED_WITHIN_MS) {
      problems.push(backupMessages.longUnverified(Math.floor(ageOf(since) / DAY_MS)));
    }
  }
  return problems;
}

/** Figures for monitoring. The ages are those of the newest good backup and verification, and absent without one. */
export function backupFigures({ made, verified, problems }: BackupHealth, now: Date): Record<string, number> {
  const age = (run: BackupRun) => Math.max(0, (now.getTime() - Date.parse(run.startedAt)) / 1_000);
  return {
    backup_problems: problems.length,
    ...(made.good && { backup_age_seconds: age(made.good), backup_rows: made.good.rows }),
    ...(verified.good && { backup_verified_age_seconds: age(verified.good) }),
  };
}
