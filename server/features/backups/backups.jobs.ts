import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import type { BackupRunKind } from '#shared/features/backups/backups.ts';
import { publicKeyOf, readSigningKey } from '../../adapters/signing-key.ts';
import type { Services } from '../../kernel/context.ts';
import type { Env } from '../../kernel/env.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { dailyAt, type TimedJob } from '../../kernel/timed-jobs.ts';
import { VERSION } from '../../kernel/version.ts';
import { withBackupLock } from './backup-lock.ts';
import { describeProblem, readLastRuns, recordRun } from './backup-runs.ts';
import { encryptionTo } from './encryption.ts';
import { makeBackup } from './make-backup.ts';
import { BackupError } from './manifest.ts';
import { openRepository } from './repository.ts';
import { listBackups, pruneBackups } from './stored-backups.ts';
import { verifyBackup } from './verify-backup.ts';

const QUEUE = 'backups';
const VERIFIED_EVERY_MS = 7 * DAY_MS;
/** Delay before a failed backup is retried. */
const AGAIN_AFTER_MS = HOUR_MS;

type BackupServices = Pick<Services, 'env' | 'db' | 'stores' | 'clock'>;
type Configured = Env & Required<Pick<Env, 'backupTo' | 'backupSigningKey'>>;
/** The result of a run, for its record. */
type Outcome = { backupId: string | null; rows?: number; files?: number; bytes?: number };

/**
 * The jobs of scheduled backups: a daily backup, the first one at once, and a weekly verification of the newest. They take
 * long, so they have a queue of their own. A run that a server stop interrupts leaves no record, and is due again.
 * @param databaseUrl any login that may read the tables
 */
export function backupJobs(env: Env, databaseUrl: string): TimedJob[] {
  if (!isConfigured(env)) return [];
  return [
    {
      name: 'backup',
      queue: QUEUE,
      async schedule(ranAt, { db }) {
        const { last } = (await readLastRuns(db)).backup;
        if (last === undefined) return ranAt;
        if (last.problem !== null) return new Date(ranAt.getTime() + AGAIN_AFTER_MS);
        return dailyAt(env.backupAt, await readTimeZone(db))(ranAt);
      },
      run: (services, { signal }) =>
        recorded(services, 'backup', signal, () => backUp(services, { databaseUrl, signal })),
    },
    {
      name: 'backup-verification',
      queue: QUEUE,
      async schedule(ranAt, { db }) {
        const { backup, verification } = await readLastRuns(db);
        if (backup.good === undefined) return new Date(ranAt.getTime() + AGAIN_AFTER_MS);
        const { last } = verification;
        if (last === undefined) return ranAt;
        return new Date(ranAt.getTime() + (last.problem === null ? VERIFIED_EVERY_MS : DAY_MS));
      },
      run: (services, { signal }) =>
        recorded(services, 'verification', signal, () => verifyNewest(services, signal)),
    },
  ];
}

function isConfigured(env: Env): env is Configured {
  return env.backupTo !== undefined && env.backupSigningKey !== undefined;
}

/**
 * Makes a backup with the configured keys, and deletes backups that the retention no longer keeps.
 * @param to a repository other than the configured one
 * @throws BackupError if a setting is missing
 */
export async function backUp(
  services: Pick<BackupServices, 'env' | 'stores' | 'clock'>,
  options: { databaseUrl: string; to?: string; signal?: AbortSignal; log?: (line: string) => void },
): Promise<Outcome & { deleted: string[] }> {
  const { env, stores, clock } = services;
  const { databaseUrl, to = env.backupTo, signal, log } = options;
  const signingKey = env.backupSigningKey === undefined ? undefined : readSigningKey(env.backupSigningKey);
  if (signingKey === undefined) {
    throw new BackupError(
      'BACKUP_SIGNING_KEY is not set. "npm run admin -- backup-key" makes one; keep it also where neither DATA_DIR nor the backups are.',
    );
  }
  const encryptTo = env.backupEncryptTo;
  const repository = {
    storage: openRepository(to, env),
    cipher: encryptTo === undefined ? undefined : encryptionTo(encryptTo),
    ...(signal && { signal }),
  };
  const onWait = () => log?.('Another backup is being made. Waiting …');
  const { made, deleted } = await withBackupLock(databaseUrl, { signal, onWait }, async () => {
    const now = clock.now();
    return {
      made: await makeBackup({
        databaseUrl,
        stores,
        repository,
        signingKey,
        encryptedTo: encryptTo ?? null,
        version: VERSION,
        now,
        ...(log && { log }),
      }),
      deleted: await pruneBackups(repository, publicKeyOf(signingKey), now),
    };
  });
  const { manifest, rows } = made;
  return { backupId: manifest.id, rows, files: manifest.files.count, bytes: manifest.files.total, deleted };
}

async function verifyNewest({ env }: BackupServices, signal: AbortSignal): Promise<Outcome> {
  const key = env.backupSigningKey === undefined ? undefined : readSigningKey(env.backupSigningKey);
  const repository = { storage: openRepository(env.backupTo, env), cipher: undefined, signal };
  const [newest] = await listBackups(repository, key && publicKeyOf(key));
  if (newest === undefined) throw new BackupError('The repository contains no backup.');
  if (newest.manifest === undefined) throw new BackupError(`${newest.id}: ${newest.problem}`);
  const { manifest } = newest;
  await verifyBackup(repository, manifest, env.dataDir);
  return {
    backupId: manifest.id,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.count,
    bytes: manifest.files.total,
  };
}

/**
 * Runs work and records its result. A failure is recorded rather than thrown, because the runner would repeat the job at its
 * next check; an abort by `signal` is thrown and not recorded.
 */
export async function recorded(
  { db, clock, log }: Pick<Services, 'db' | 'clock'> & { log: Pick<Services['log'], 'error' | 'info'> },
  kind: BackupRunKind,
  signal: AbortSignal | undefined,
  work: () => Promise<Outcome>,
): Promise<void> {
  const startedAt = clock.now().toISOString();
  const ended = () => ({ kind, startedAt, endedAt: clock.now().toISOString() });
  try {
    const { backupId, rows = 0, files = 0, bytes = 0 } = await work();
    await recordRun(db, { ...ended(), backupId, rows, files, bytes, problem: null });
    log.info({ kind, backupId }, 'a backup run has succeeded');
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const problem = describeProblem(error);
    log.error({ kind, problem }, 'a backup run has failed');
    await recordRun(db, { ...ended(), backupId: null, problem });
  }
}
