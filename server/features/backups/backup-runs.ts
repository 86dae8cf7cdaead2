import { and, desc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { backupRuns } from '#db/schema/backup-runs.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { BackupRun, BackupRunKind } from '#shared/features/backups/backups.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { BackupError } from './backup-error.ts';

/** Names of the timed jobs whose runs are recorded. */
export const BACKUP_JOB = 'backup';
export const VERIFICATION_JOB = 'backup-verification';
const RUNS_KEPT_MS = 400 * DAY_MS;

/**
 * Whether the table of runs has the columns of this version. In a database of an earlier version, the table or columns may be
 * missing.
 */
export async function canRecordRuns(db: Queryable): Promise<boolean> {
  const columns = await db.execute(sql`select column_name from information_schema.columns
    where table_schema = 'public' and table_name = 'backup_runs'`);
  return columns.length === Object.keys(getTableColumns(backupRuns)).length;
}

/** Records a finished run, and deletes old records. */
export async function recordRun(db: Queryable, run: typeof backupRuns.$inferInsert): Promise<void> {
  await db.insert(backupRuns).values(run);
  const oldest = new Date(Date.parse(run.endedAt) - RUNS_KEPT_MS).toISOString();
  await db.delete(backupRuns).where(lt(backupRuns.endedAt, oldest));
}

/** Runs of one kind: the newest run, and the newest run that succeeded. */
export type LastRuns = { last: BackupRun | undefined; good: BackupRun | undefined };

/**
 * Reads the newest runs of both kinds, in the order in which they were recorded.
 * @param repository undefined: in any repository
 */
export async function readLastRuns(
  db: Queryable,
  repository: string | undefined,
): Promise<Record<BackupRunKind, LastRuns>> {
  const isGood = isNull(backupRuns.problem);
  const newest = await db
    .selectDistinctOn([backupRuns.kind, isGood])
    .from(backupRuns)
    .where(and(repository === undefined ? undefined : eq(backupRuns.repository, repository)))
    .orderBy(backupRuns.kind, isGood, desc(backupRuns.id));
  const of = (kind: BackupRunKind): LastRuns => {
    const runs = newest.filter((run) => run.kind === kind).sort((a, b) => b.id - a.id);
    return { last: runs[0], good: runs.find(({ problem }) => problem === null) };
  };
  return { backup: of('backup'), verification: of('verification') };
}

/** Describes the error of a failed run in a sentence for the operator. */
export function describeProblem(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  if (error instanceof StorageError) {
    if (error.code === 'full') return 'The backup repository is full.';
    if (error.code === 'unreachable') return 'The backup repository does not answer.';
  }
  return error instanceof Error ? error.message : String(error);
}
