import type { Queryable } from '#db/client.ts';
import { DAY_MS } from '#shared/dates.ts';
import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun } from '#shared/features/backups/backups.ts';
import type { Env } from '../../kernel/env.ts';
import { type LastRuns, readLastRuns } from './backup-runs.ts';

/** Backups are daily and failures are retried hourly: without a good one for this long, they keep failing. */
const MADE_WITHIN_MS = 2 * DAY_MS;
/** Verification is weekly, and failures are retried daily. */
const VERIFIED_WITHIN_MS = 9 * DAY_MS;

/** The last backup and verification runs, and the problems that follow from them. */
export type BackupHealth = {
  made: LastRuns;
  verified: LastRuns;
  /** Sentences for the administrator. Empty if all is well, or if scheduled backups are off. */
  problems: string[];
};

/** Reads the last runs, and derives the problems. */
export async function readBackupHealth(
  db: Queryable,
  { backupTo }: Pick<Env, 'backupTo'>,
  now: Date,
): Promise<BackupHealth> {
  const { backup: made, verification: verified } = await readLastRuns(db);
  return { made, verified, problems: backupTo === undefined ? [] : problemsOf({ made, verified }, now) };
}

/** Derives the problems of scheduled backups, as sentences for the administrator. */
export function problemsOf({ made, verified }: Omit<BackupHealth, 'problems'>, now: Date): string[] {
  const problems: string[] = [];
  const age = (run: BackupRun) => now.getTime() - Date.parse(run.startedAt);
  if (made.last !== undefined && made.last.problem !== null) {
    problems.push(backupMessages.failed(made.last.problem));
  } else if (made.good !== undefined && age(made.good) > MADE_WITHIN_MS) {
    problems.push(backupMessages.old(Math.floor(age(made.good) / DAY_MS)));
  }
  if (verified.last !== undefined && verified.last.problem !== null) {
    problems.push(backupMessages.notVerified(verified.last.problem));
  } else if (verified.good !== undefined && age(verified.good) > VERIFIED_WITHIN_MS) {
    problems.push(backupMessages.longUnverified(Math.floor(age(verified.good) / DAY_MS)));
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
