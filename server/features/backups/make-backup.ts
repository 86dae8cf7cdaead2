import { type KeyObject, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { connect } from '#db/client.ts';
import { plural } from '#shared/text/plural.ts';
import type { FileStores } from '../../adapters/storage/index.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { type Dump, dumpDatabase, type NamedFile } from './dump-database.ts';
import { formatFileList } from './file-list.ts';
import { BackupError, FORMAT, type Manifest, signManifest } from './manifest.ts';
import { fileKey, fileListKey, manifestKey } from './names.ts';
import { countParts, PART_BYTES, type Place, partKey, writePart, writeParts } from './parts.ts';

export type BackupParts = {
  /** Any login that may read the tables. */
  databaseUrl: string;
  stores: FileStores;
  place: Place;
  /** The recipient to whose key `place` encrypts; null if it does not. */
  encryptedTo: string | null;
  signingKey: KeyObject;
  version: string;
  now: Date;
  /** A snapshot that another transaction has exported, to copy the rows of that one; for tests. */
  snapshot?: string;
  log?: (line: string) => void;
};

export type MadeBackup = { manifest: Manifest; rows: number; newFiles: number; newBytes: number };

/**
 * Makes a backup beside a running system: first all rows in one snapshot, then the files that they name and that the
 * place lacks, last the manifest. Ended in the middle it leaves no backup, and nothing that a later one would take for a
 * whole file.
 * @throws BackupError if a file that the rows name is gone
 * @throws StorageError if the place is full or does not answer
 */
export async function makeBackup(parts: BackupParts): Promise<MadeBackup> {
  const { place, version, now, encryptedTo, log = () => undefined } = parts;
  const id = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
  const { files, ...database } = await dump(parts, id);
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  log(plural(rows, 'row'));

  const copied: NamedFile[] = [];
  let newFiles = 0;
  let newBytes = 0;
  for (const file of files) {
    place.signal?.throwIfAborted();
    const result = await copyFile(parts, file);
    if (result === 'gone') continue;
    copied.push(file);
    if (result === 'known') continue;
    newFiles += 1;
    newBytes += file.bytes;
  }
  const size = `${(newBytes / 1024 ** 2).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  log(`${plural(copied.length, 'file')}, ${newFiles.toLocaleString('en')} new (${size})`);

  // Never encrypted: it names no more than the keys of the files do, and old backups are deleted by it.
  const list = await writeParts({ ...place, cipher: undefined }, fileListKey(id), formatFileList(copied));
  const manifest: Manifest = {
    format: FORMAT,
    id,
    version,
    ...database,
    files: {
      parts: list,
      count: copied.length,
      total: copied.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    encryptedTo,
  };
  const text = Buffer.from(signManifest(manifest, parts.signingKey));
  await place.storage.put(manifestKey(id), withErrorListener(Readable.from([text])), {
    maxBytes: text.byteLength,
  });
  return { manifest, rows, newFiles, newBytes };
}

async function dump({ databaseUrl, place, snapshot }: BackupParts, id: string): Promise<Dump> {
  const noLimits = { statementTimeoutMs: 0, idleInTransactionMs: 0 };
  const { sql, close } = connect(databaseUrl, { max: 1, ...noLimits, name: 'lintel backup' });
  try {
    const connection = await sql.reserve();
    try {
      return await dumpDatabase(connection, place, { id, snapshot });
    } finally {
      connection.release();
    }
  } finally {
    await close();
  }
}

/** Copies a file under its hash, unless the place has it. */
async function copyFile(
  { stores, place, encryptedTo }: BackupParts,
  file: NamedFile,
): Promise<'copied' | 'known' | 'gone'> {
  const key = fileKey(file.sha256, encryptedTo);
  if ((await place.storage.head(key)) !== undefined) return 'known';
  const partBytes = place.partBytes ?? PART_BYTES;
  // The first part last: where it is, the file is whole.
  for (let n = countParts(file.bytes, partBytes) - 1; n >= 0; n -= 1) {
    const range = { start: n * partBytes, end: Math.min(file.bytes, (n + 1) * partBytes) - 1 };
    const opened = await stores[file.store]?.storage.get(file.key, file.bytes === 0 ? undefined : range);
    if (opened === undefined || opened.bytes !== file.bytes) {
      opened?.stream.destroy();
      if (file.state === 'removed') return 'gone';
      throw new BackupError(`The file ${file.key} is gone. "npm run admin -- doctor" lists such files.`);
    }
    try {
      await writePart(place, partKey(key, n), opened.stream, { overwrite: n > 0 });
    } catch (error) {
      // Another backup has written it meanwhile.
      if (!(error instanceof StorageError && error.code === 'exists')) throw error;
    }
  }
  return 'copied';
}
