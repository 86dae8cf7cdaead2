import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '#db/client.ts';
import { startEmbedded } from '#db/embedded/start.ts';
import { migrate } from '#db/migrate.ts';
import { diskSpace } from '../../adapters/storage/disk-space.ts';
import { verifyChain } from '../../live/chain.ts';
import { checkBackup } from './check-backup.ts';
import { readFileList } from './file-list.ts';
import { assertKnownVersion, fillDatabase } from './fill-database.ts';
import { BackupError, type Manifest } from './manifest.ts';
import type { Repository } from './parts.ts';

/** Folder of the scratch database, below `DATA_DIR`. */
const FOLDER = 'backup-verification';
/** Free disk space needed, relative to the size of the database. */
const ROOM_FOR = 1.5;

/**
 * Verifies that a backup can be restored: compares all objects with the manifest, restores the rows into a scratch Postgres,
 * which is deleted afterwards, and verifies the event log there.
 * @param dataDir has room for the scratch Postgres
 * @returns false if the backup is encrypted and the repository has no identity, so that only stored objects were compared
 * @throws BackupError if it could not be restored
 */
export async function verifyBackup(
  repository: Repository,
  manifest: Manifest,
  dataDir: string,
): Promise<boolean> {
  assertKnownVersion(manifest);
  await checkBackup(repository, manifest);
  if (manifest.encryptedTo !== null && repository.cipher === undefined) return false;
  const needed = Math.ceil(manifest.databaseBytes * ROOM_FOR);
  if ((await diskSpace(dataDir).left()) < needed) {
    throw new BackupError(`The test restore needs ${gigabytes(needed)} GB in ${dataDir}, and there is less.`);
  }
  await inScratchDatabase(join(dataDir, FOLDER), async (ownerUrl) => {
    await fillDatabase({ ownerUrl, repository, manifest });
    await migrate(ownerUrl, undefined);
    await checkDatabase(ownerUrl, repository, manifest);
  });
  return true;
}

async function inScratchDatabase(folder: string, work: (ownerUrl: string) => Promise<void>): Promise<void> {
  await removeScratch(folder);
  // The user that Postgres runs as must get through it.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const postgres = await startEmbedded(folder, { sync: false });
  try {
    await work(postgres.ownerUrl);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the remains of a killed verification, whose Postgres may still run. */
async function removeScratch(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const left = await startEmbedded(folder, { sync: false }).catch(() => undefined);
  await left?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function checkDatabase(ownerUrl: string, repository: Repository, manifest: Manifest): Promise<void> {
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
    const listed = new Set<string>();
    for await (const { key } of readFileList(repository, manifest)) listed.add(key);
    const files = await sql<{ key: string }[]>`select key from stored_files where state = 'stored'`;
    const missing = files.find(({ key }) => !listed.has(key));
    if (missing !== undefined) throw new BackupError(`Its list of files lacks ${missing.key}.`);
  } finally {
    repository.signal?.removeEventListener('abort', end);
    await close();
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}
