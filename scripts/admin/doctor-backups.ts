import { statSync } from 'node:fs';
import { readBackupHealth } from '#server/features/backups/backup-health.queries.ts';
import { canRecordRuns } from '#server/features/backups/backup-runs.ts';
import type { Finding } from './doctor.ts';
import type { Opened } from './installation.ts';

/** The last backup and verification, and their problems. */
export async function backups({ stores, env }: Opened): Promise<Finding[]> {
  if (!(await canRecordRuns(stores.db))) return [];
  const { made, verified, problems } = await readBackupHealth(stores.db, env, stores.clock.now());
  const lastOf = (what: string, good: { backupId: string | null; startedAt: string } | undefined) =>
    good === undefined
      ? `no backup has been ${what} yet`
      : `the last backup that was ${what} is ${good.backupId}, on ${good.startedAt.slice(0, 16).replace('T', ' at ')} UTC`;
  return [
    ...(env.backupTo === undefined
      ? [{ good: 'note' as const, text: 'scheduled backups are off: BACKUP_TO is not set' }]
      : []),
    ...(env.backupTo !== undefined && isOnDiskOf(env.backupTo, env.dataDir)
      ? [
          {
            good: 'note' as const,
            text: 'the backup repository is on the disk of DATA_DIR: one fault can take both',
          },
        ]
      : []),
    { good: 'note', text: lastOf('made', made.good) },
    { good: 'note', text: lastOf('verified', verified.good) },
    ...problems.map((text) => ({ good: false, text })),
  ];
}

function isOnDiskOf(repository: string, dataDir: string): boolean {
  try {
    return statSync(repository).dev === statSync(dataDir).dev;
  } catch {
    // The repository is a bucket, or a folder that does not exist yet.
    return false;
  }
}
