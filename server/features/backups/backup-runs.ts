import { desc, isNull, lt } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { backupRuns } from '#db/schema/backup-runs.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { BackupRun, BackupRunKind } from '#shared/features/backups/backups.ts';
import { uuidv7 } from '#shared/ids.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { BackupError } from './manifest.ts';

const RUNS_KEPT_MS = 400 * DAY_MS;

/** Records a finished run, and deletes old records. */
export async function recordRun(
  db: Queryable,
  run: Omit<typeof backupRuns.$inferInsert, 'id'>,
): Promise<void> {
  await db.insert(backupRuns).values({ id: uuidv7(), ...run });
  const oldest = new Date(Date.parse(run.endedAt) - RUNS_KEPT_MS).toISOString();
  await db.delete(backupRuns).where(lt(backupRuns.endedAt, oldest));
}

/** Of one kind: the newest run, and the newest that succeeded. */
export type LastRuns = { last: BackupRun | undefined; good: BackupRun | undefined };

/** Reads the newest runs of both kinds. */
export async function readLastRuns(db: Queryable): Promise<Record<BackupRunKind, LastRuns>> {
  const isGood = isNull(backupRuns.problem);
  const newest = await db
    .selectDistinctOn([backupRuns.kind, isGood])
    .from(backupRuns)
    .orderBy(backupRuns.kind, isGood, desc(backupRuns.startedAt));
  const of = (kind: BackupRunKind): LastRuns => {
    const runs = newest.filter((run) => run.kind === kind);
    const [last] = runs.sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
    return { last, good: runs.find(({ problem }) => problem === null) };
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
