import { createHash, type KeyObject } from 'node:crypto';
import type { backupRuns } from '#db/schema/backup-runs.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import type { BackupRunKind } from '#shared/features/backups/backups.ts';
import { readServerSecret } from '../../adapters/auth/server-secret.ts';
import { publicKeyOf, readSigningKey } from '../../adapters/signing-key.ts';
import type { Services } from '../../kernel/context.ts';
import type { Env } from '../../kernel/env.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { dailyAt, type TimedJob } from '../../kernel/timed-jobs.ts';
import { VERSION } from '../../kernel/version.ts';
import { BackupError, DamagedError } from './backup-error.ts';
import { withBackupLock } from './backup-lock.ts';
import {
  BACKUP_JOB,
  describeProblem,
  type LastRuns,
  readLastRuns,
  recordRun,
  VERIFICATION_JOB,
} from './backup-runs.ts';
import { configuredCipher } from './backup-settings.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import type { Repository } from './parts.ts';
import { claimRepository, openRepository, repositoryName } from './repository.ts';
import { newestBackup, pruneBackups } from './stored-backups.ts';
import { verifyBackup } from './verify-backup.ts';

const QUEUE = 'backups';
const VERIFIED_EVERY_MS = 7 * DAY_MS;
/** The latest moment that a `Date` can represent. */
const NEVER = new Date(8.64e15);
/** Delay before a failed backup is retried. */
const AGAIN_AFTER_MS = HOUR_MS;

type BackupServices = Pick<Services, 'env' | 'db' | 'stores' | 'clock'>;
type Configured = Env & Required<Pick<Env, 'backupTo' | 'backupSigningKey'>>;
/** The result of a run, for its record. */
type Outcome = Pick<typeof backupRuns.$inferInsert, 'backupId' | 'rows' | 'files' | 'bytes' | 'lost'>;

/**
 * The jobs of scheduled backups: a daily backup, the first one at once, and a weekly verification of the newest. They take
 * long, so they have a queue of their own. A run that a server stop interrupts leaves no record, and is due again.
 * @param databaseUrl any login that may read the tables
 */
export function backupJobs(env: Env, databaseUrl: string): TimedJob[] {
  if (!isConfigured(env)) return [];
  return [
    {
      name: BACKUP_JOB,
      queue: QUEUE,
      async schedule(ranAt, services) {
        const { last } = (await lastRunsOf(services)).backup;
        if (last === undefined) return ranAt;
        if (last.problem !== null) return new Date(ranAt.getTime() + AGAIN_AFTER_MS);
        return dailyAt(env.backupAt, await readTimeZone(services.db))(ranAt);
      },
      async run(services, { signal }) {
        await recorded(services, 'backup', { signal }, async () =>
          backUp(services, { databaseUrl, signal, runs: await lastRunsOf(services) }),
        );
      },
    },
    {
      name: VERIFICATION_JOB,
      queue: QUEUE,
      async schedule(ranAt, services) {
        const { backup, verification } = await lastRunsOf(services);
        if (backup.good === undefined) return new Date(ranAt.getTime() + AGAIN_AFTER_MS);
        const { last } = verification;
        if (last === undefined) return ranAt;
        // The next backup repairs the damage; until then, a verification would find the same damage again.
        if (last.isDamaged && backup.good.id < last.id) return NEVER;
        return new Date(ranAt.getTime() + (last.problem === null ? VERIFIED_EVERY_MS : DAY_MS));
      },
      async run(services, { signal }) {
        // There is nothing to verify yet. `schedule` makes the job due again later.
        if ((await lastRunsOf(services)).backup.good === undefined) return;
        await recorded(services, 'verification', { signal }, () =>
          verifyNewest(services, databaseUrl, signal),
        );
      },
    },
  ];
}

function isConfigured(env: Env): env is Configured {
  return env.backupTo !== undefined && env.backupSigningKey !== undefined;
}

function lastRunsOf({
  db,
  env,
}: Pick<BackupServices, 'db' | 'env'>): Promise<Record<BackupRunKind, LastRuns>> {
  return readLastRuns(db, env.backupTo === undefined ? undefined : repositoryName(env.backupTo));
}

/**
 * Makes a backup with the configured keys, and deletes backups that the retention no longer keeps.
 * @param options.to a repository other than the configured one
 * @param options.runs the last runs in that repository
 * @throws BackupError if a setting is missing, or if the repository belongs to another installation or lacks backups
 */
export async function backUp(
  { env, stores, clock, db }: BackupServices,
  options: {
    databaseUrl: string;
    to?: string;
    runs: Record<BackupRunKind, LastRuns>;
    /** The repository may be empty, although earlier backups were made there: its disk was replaced. */
    isNew?: boolean;
    signal?: AbortSignal;
    log?: (line: string) => void;
  },
): Promise<Outcome & { deleted: string[] }> {
  const { databaseUrl, to = env.backupTo, runs, isNew = false, signal, log } = options;
  const signingKey = signingKeyOf(env);
  const repository: Repository = {
    storage: openRepository(to, env),
    cipher: await configuredCipher(env),
    ...(signal && { signal }),
  };
  const installation = await installationOf(db);
  const onWait = () => log?.('Another backup is being made. Waiting …');
  const made = await withBackupLock(databaseUrl, 'backup', { signal, onWait }, async (assertHeld) => {
    const hasBackups = runs.backup.good !== undefined && !isNew;
    await claimRepository(repository.storage, { installation, hasBackups });
    const now = clock.now();
    const backup = await makeBackup({
      databaseUrl,
      installation,
      stores,
      repository,
      signingKey,
      encryptedTo: env.backupEncryptTo ?? null,
      version: VERSION,
      now,
      // The verification has found damage, which this backup repairs.
      rereads: runs.verification.last?.isDamaged === true,
      ...(log && { log }),
    });
    await assertHeld();
    const own = { publicKey: publicKeyOf(signingKey), installation };
    return { ...backup, deleted: await pruneBackups(repository, own, now) };
  });
  // Cannot happen: without a limit of tries, `withBackupLock` waits until the lock is free.
  if (made === undefined) throw new Error('the lock was not free');
  const { manifest, rows, deleted } = made;
  const { count: files, total: bytes, lost } = manifest.files;
  return { backupId: manifest.id, rows, files, bytes, lost, deleted };
}

function signingKeyOf({ backupSigningKey }: Pick<Env, 'backupSigningKey'>): KeyObject {
  const key = backupSigningKey === undefined ? undefined : readSigningKey(backupSigningKey);
  if (key !== undefined) return key;
  throw new BackupError(
    'BACKUP_SIGNING_KEY is not set: load the settings of this installation. If it has none, "npm run admin -- backup-key" makes one; keep it also where neither DATA_DIR nor the backups are.',
  );
}

/**
 * Returns the id by which a repository identifies the installation. The id reveals no secret. A restored copy has the same id.
 */
async function installationOf(db: Services['db']): Promise<string> {
  const secret = await readServerSecret(db, 'backup-installation');
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}

async function verifyNewest(
  { env, clock }: BackupServices,
  databaseUrl: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const expectedKey = publicKeyOf(signingKeyOf(env));
  const repository = { storage: openRepository(env.backupTo, env), cipher: undefined, signal };
  const manifest = await newestBackup(repository, { expectedKey, now: clock.now() });
  await verifyBackup(repository, manifest, { dataDir: env.dataDir, databaseUrl });
  return outcomeOf(manifest);
}

/** Returns the values that the record of a run stores about its backup. */
export function outcomeOf({ id, tables, files }: Manifest): Outcome {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { backupId: id, rows, files: files.count, bytes: files.total, lost: files.lost };
}

/**
 * Runs work and records its result. A failure is recorded rather than thrown, because the runner would repeat the job at its
 * next check; an abort by `signal` is thrown and not recorded.
 * @returns the error of a failure
 */
export async function recorded(
  {
    db,
    clock,
    log,
    env,
  }: Pick<Services, 'db' | 'clock' | 'env'> & { log: Pick<Services['log'], 'error' | 'info'> },
  kind: BackupRunKind,
  { signal, to = env.backupTo ?? '' }: { signal?: AbortSignal; to?: string },
  work: () => Promise<Outcome>,
): Promise<{ error?: unknown }> {
  const startedAt = clock.now().toISOString();
  const run = () => ({ kind, repository: repositoryName(to), startedAt, endedAt: clock.now().toISOString() });
  try {
    const { backupId, rows, files, bytes, lost } = await work();
    await recordRun(db, { ...run(), backupId, rows, files, bytes, lost });
    log.info({ backupId }, kind === 'backup' ? 'a backup was made' : 'the newest backup was verified');
    return {};
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const problem = describeProblem(error);
    log.error(
      { problem },
      kind === 'backup' ? 'a backup has failed' : 'a verification of a backup has failed',
    );
    await recordRun(db, { ...run(), problem, isDamaged: error instanceof DamagedError });
    return { error };
  }
}
