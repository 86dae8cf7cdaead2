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
import type { Place } from './parts.ts';

/** Where the database of a verification is, below `DATA_DIR`. */
const FOLDER = 'backup-verification';
/** The database and its log of changes. */
const ROOM_FOR = 1.5;

/**
 * Verifies that a backup can be restored: compares everything with the manifest, restores the rows into a Postgres of their
 * own, which is deleted afterwards, and verifies the event log in it.
 * @param dataDir where that Postgres has its data meanwhile
 * @returns false if the backup is encrypted and the place has no key: only what is stored was compared then
 * @throws BackupError if it could not be restored
 */
export async function verifyBackup(place: Place, manifest: Manifest, dataDir: string): Promise<boolean> {
  assertKnownVersion(manifest);
  await checkBackup(place, manifest);
  if (manifest.encryptedTo !== null && place.cipher === undefined) return false;
  const needed = Math.ceil(manifest.databaseBytes * ROOM_FOR);
  if ((await diskSpace(dataDir).left()) < needed) {
    throw new BackupError(
      `It was not restored for a test, which takes ${gigabytes(needed)} GB in ${dataDir}: there is less.`,
    );
  }
  await inScratchDatabase(join(dataDir, FOLDER), async (ownerUrl) => {
    await fillDatabase({ ownerUrl, place, manifest });
    await migrate(ownerUrl, undefined);
    await checkDatabase(ownerUrl, place, manifest);
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

/** Removes what a verification left that was killed, whose Postgres may still run. */
async function removeScratch(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const left = await startEmbedded(folder, { sync: false }).catch(() => undefined);
  await left?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function checkDatabase(ownerUrl: string, place: Place, manifest: Manifest): Promise<void> {
  const { sql, close } = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel verify' });
  const end = () => void sql.end({ timeout: 0 });
  place.signal?.addEventListener('abort', end);
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
    for await (const { key } of readFileList(place, manifest)) listed.add(key);
    const files = await sql<{ key: string }[]>`select key from stored_files where state = 'stored'`;
    const missing = files.find(({ key }) => !listed.has(key));
    if (missing !== undefined) throw new BackupError(`Its list of files lacks ${missing.key}.`);
  } finally {
    place.signal?.removeEventListener('abort', end);
    await close();
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}
