import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '#db/client.ts';
import { startEmbedded } from '#db/embedded/start.ts';
import { migrate } from '#db/migrate.ts';
import { diskSpace } from '../../adapters/storage/disk-space.ts';
import { verifyChain } from '../../live/chain.ts';
import { BackupError, DamagedError } from './backup-error.ts';
import { withBackupLock } from './backup-lock.ts';
import { checkBackup } from './check-backup.ts';
import { type ListedFile, readFileList } from './file-list.ts';
import { assertKnownVersion, fillDatabase } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import type { Repository } from './parts.ts';

/** Folder of the scratch database, below `DATA_DIR`. */
const FOLDER = 'backup-verification';
/** Free disk space needed, relative to the size of the database. */
const ROOM_FOR = 1.5;

/**
 * Verifies that a backup can be restored: compares all objects with the manifest, restores the rows into a scratch Postgres,
 * which is deleted afterwards, and verifies the event log there.
 * @param options.dataDir folder in which the scratch Postgres is created
 * @param options.databaseUrl database of the installation, which holds the lock for one verification at a time
 * @returns false if the backup is encrypted and the repository has no identity, so that only stored objects were compared
 * @throws BackupError if it could not be restored
 */
export async function verifyBackup(
  repository: Repository,
  manifest: Manifest,
  { dataDir, databaseUrl, onWait }: { dataDir: string; databaseUrl: string; onWait?: () => void },
): Promise<boolean> {
  const { signal } = repository;
  const verify = async () => {
    const folder = join(dataDir, FOLDER);
    await removeScratch(folder);
    assertKnownVersion(manifest);
    const files = await readFileList(repository, manifest);
    const [damaged] = await checkBackup(repository, manifest, files);
    if (damaged !== undefined) throw new DamagedError(`${damaged.parts[0]?.key} is damaged or missing.`);
    if (manifest.encryptedTo !== null && repository.cipher === undefined) return false;
    const needed = Math.ceil(manifest.databaseBytes * ROOM_FOR);
    if ((await diskSpace(dataDir).left()) < needed) {
      throw new BackupError(
        `The test restore needs ${gigabytes(needed)} GB in ${dataDir}, and there is less.`,
      );
    }
    await inScratchDatabase(folder, async (ownerUrl) => {
      await fillDatabase({ ownerUrl, repository, manifest });
      await migrate(ownerUrl, undefined);
      await checkDatabase(ownerUrl, { repository, manifest, files });
    });
    return true;
  };
  const options = { signal, ...(onWait && { onWait }) };
  return (await withBackupLock(databaseUrl, 'verification', options, verify)) === true;
}

/** Removes the remains of a killed verification when a server starts, unless another process is verifying. */
export async function removeLeftScratch(databaseUrl: string, dataDir: string): Promise<void> {
  const folder = join(dataDir, FOLDER);
  if (!existsSync(folder)) return;
  await withBackupLock(databaseUrl, 'verification', { tries: 1 }, () => removeScratch(folder));
}

async function inScratchDatabase(folder: string, work: (ownerUrl: string) => Promise<void>): Promise<void> {
  // The user that runs Postgres must be able to pass through this folder.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const postgres = await startEmbedded(folder, { sync: false });
  try {
    await work(postgres.ownerUrl);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the scratch database. Stops its Postgres first, which may still run if a verification was killed. */
async function removeScratch(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const left = await startEmbedded(folder, { sync: false }).catch(() => undefined);
  await left?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function checkDatabase(
  ownerUrl: string,
  {
    repository,
    manifest,
    files,
  }: { repository: Repository; manifest: Manifest; files: readonly ListedFile[] },
): Promise<void> {
  const { sql, close } = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel verify' });
  const end = () => void sql.end({ timeout: 0 });
  repository.signal?.addEventListener('abort', end);
  try {
    const { problems } = await verifyChain(sql);
    const [first] = problems;
    if (first !== undefined) throw new BackupError(`Event ${first.g} of its log: ${first.problem}.`);
    const [end] = await sql<{ g: number; hash: string }[]>`
      select g::float8 as g, encode(hash, 'hex') as hash from events order by g desc limit 1`;
    if ((end?.hash ?? null) !== manifest.log.hash) {
      throw new BackupError(`Its log ends with event ${end?.g ?? 0}, which is not that of the manifest.`);
    }
    const listed = new Set(files.map(({ key }) => key));
    const stored = await sql<{ key: string }[]>`select key from stored_files where state = 'stored'`;
    const missing = stored.filter(({ key }) => !listed.has(key));
    if (missing.length !== manifest.files.lost) {
      throw new BackupError(`Its list of files lacks ${missing[0]?.key}.`);
    }
  } finally {
    repository.signal?.removeEventListener('abort', end);
    await close();
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}
