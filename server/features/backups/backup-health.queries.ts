import type { Queryable } from '#db/client.ts';
import { DAY_MS } from '#shared/dates.ts';
import { backupMessages } from '#shared/features/backups/backup-messages.ts';
import type { BackupRun } from '#shared/features/backups/backups.ts';
import type { Env } from '../../kernel/env.ts';
import { type LastRuns, readLastRuns } from './runs.ts';

/** A backup is made each day and a failed one is tried again each hour, so this says that none succeeds. */
const MADE_WITHIN_MS = 2 * DAY_MS;
/** One is verified each week, and a failed attempt is repeated each day. */
const VERIFIED_WITHIN_MS = 9 * DAY_MS;

/** When backups were last made and verified. */
export type BackupHealth = {
  made: LastRuns;
  verified: LastRuns;
  /** What is wrong with them, in sentences; empty if nothing is, or if no backups are made by themselves. */
  problems: string[];
};

/** Reads when backups were last made and verified, and judges it. */
export async function readBackupHealth(
  db: Queryable,
  { backupTo }: Pick<Env, 'backupTo'>,
  now: Date,
): Promise<BackupHealth> {
  const { backup: made, verification: verified } = await readLastRuns(db);
  return { made, verified, problems: backupTo === undefined ? [] : problemsOf({ made, verified }, now) };
}

/** What is wrong with the backups of an installation that makes them by itself. */
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
