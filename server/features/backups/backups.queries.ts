import { desc } from 'drizzle-orm';
import { backupRuns } from '#db/schema/backup-runs.ts';
import { BACKUP_RUNS_SHOWN, type BackupStatus } from '#shared/features/backups/backups.ts';
import { publicKeyOf, readSigningKey } from '../../adapters/signing-key.ts';
import type { Services } from '../../kernel/context.ts';
import { readBackupHealth } from './backup-health.queries.ts';

/** Reads the settings of backups, the last runs and the problems. */
export async function readBackupStatus({
  db,
  env,
  clock,
}: Pick<Services, 'db' | 'env' | 'clock'>): Promise<BackupStatus> {
  const { made, verified, problems } = await readBackupHealth(db, env, clock.now());
  const runs = await db.select().from(backupRuns).orderBy(desc(backupRuns.id)).limit(BACKUP_RUNS_SHOWN);
  return {
    settings: settingsOf(env),
    problems,
    made: made.good ?? null,
    verified: verified.good ?? null,
    runs,
  };
}

function settingsOf(env: Services['env']): BackupStatus['settings'] {
  const key = env.backupSigningKey === undefined ? undefined : readSigningKey(env.backupSigningKey);
  if (env.backupTo === undefined || key === undefined) return null;
  return {
    to: env.backupTo,
    at: env.backupAt,
    encryptedTo: env.backupEncryptTo ?? null,
    publicKey: publicKeyOf(key),
  };
}
