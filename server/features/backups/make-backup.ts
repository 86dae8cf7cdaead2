import { type KeyObject, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { connect } from '#db/client.ts';
import { plural } from '#shared/text/plural.ts';
import { type Storage, StorageError } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { type Dump, dumpDatabase, type NamedFile } from './dump-database.ts';
import { formatFileList } from './file-list.ts';
import { BackupError, FORMAT, type Manifest, signManifest } from './manifest.ts';
import { fileKey, fileListKey, manifestKey } from './object-keys.ts';
import { countParts, PART_BYTES, partKey, type Repository, writePart, writeParts } from './parts.ts';

/** The storages of an installation. `FileStores` are such. */
export type FileStorages = {
  /** Where restored files go. */
  preferred: 'disk' | 's3';
  disk: { storage: Storage };
  /** Undefined if no bucket is configured. */
  s3: { storage: Storage } | undefined;
};

export type BackupOptions = {
  /** Any login that may read the tables. */
  databaseUrl: string;
  stores: FileStorages;
  repository: Repository;
  /** The age recipient of `repository.cipher`; null without encryption. */
  encryptedTo: string | null;
  signingKey: KeyObject;
  version: string;
  now: Date;
  /** For tests: an exported snapshot to dump. */
  snapshot?: string;
  log?: (line: string) => void;
};

export type MadeBackup = { manifest: Manifest; rows: number; newFiles: number; newBytes: number };

/**
 * Makes a backup while the server runs: first all rows, in one snapshot, then the files that these refer to and that the
 * repository does not have yet, and the manifest last. An interrupted backup has no manifest, and leaves no file that a later
 * backup would take for complete.
 * @throws BackupError if a file is missing in the storage of the installation
 * @throws StorageError if the repository is full or does not answer
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { repository, version, now, encryptedTo, log = () => undefined } = options;
  const id = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
  const { files, ...database } = await dump(options, id);
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  log(plural(rows, 'row'));

  const copied: NamedFile[] = [];
  let newFiles = 0;
  let newBytes = 0;
  for (const file of files) {
    repository.signal?.throwIfAborted();
    const result = await copyFile(options, file);
    if (result === 'gone') continue;
    copied.push(file);
    if (result === 'known') continue;
    newFiles += 1;
    newBytes += file.bytes;
  }
  const size = `${(newBytes / 1024 ** 2).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  log(`${plural(copied.length, 'file')}, ${newFiles.toLocaleString('en')} new (${size})`);

  // Not encrypted: the names of the objects tell as much, and pruning needs it without the identity.
  const list = await writeParts(
    { ...repository, cipher: undefined },
    fileListKey(id),
    formatFileList(copied),
  );
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
  const text = Buffer.from(signManifest(manifest, options.signingKey));
  await repository.storage.put(manifestKey(id), withErrorListener(Readable.from([text])), {
    maxBytes: text.byteLength,
  });
  return { manifest, rows, newFiles, newBytes };
}

async function dump({ databaseUrl, repository, snapshot }: BackupOptions, id: string): Promise<Dump> {
  const noLimits = { statementTimeoutMs: 0, idleInTransactionMs: 0 };
  const { sql, close } = connect(databaseUrl, { max: 1, ...noLimits, name: 'lintel backup' });
  try {
    const connection = await sql.reserve();
    try {
      return await dumpDatabase(connection, repository, { id, snapshot });
    } finally {
      connection.release();
    }
  } finally {
    await close();
  }
}

/** Stores a file under its hash, unless the repository has it. */
async function copyFile(
  { stores, repository, encryptedTo }: BackupOptions,
  file: NamedFile,
): Promise<'copied' | 'known' | 'gone'> {
  const key = fileKey(file.sha256, encryptedTo);
  if ((await repository.storage.head(key)) !== undefined) return 'known';
  const partBytes = repository.partBytes ?? PART_BYTES;
  // The first part is written last: its presence means that the file is complete.
  for (let n = countParts(file.bytes, partBytes) - 1; n >= 0; n -= 1) {
    const range = { start: n * partBytes, end: Math.min(file.bytes, (n + 1) * partBytes) - 1 };
    const opened = await stores[file.store]?.storage.get(file.key, file.bytes === 0 ? undefined : range);
    if (opened === undefined || opened.bytes !== file.bytes) {
      opened?.stream.destroy();
      if (file.state === 'removed') return 'gone';
      throw new BackupError(`The file ${file.key} is missing. "npm run admin -- doctor" lists such files.`);
    }
    try {
      await writePart(repository, partKey(key, n), opened.stream, { overwrite: n > 0 });
    } catch (error) {
      // A concurrent backup has stored the same file.
      if (!(error instanceof StorageError && error.code === 'exists')) throw error;
    }
  }
  return 'copied';
}
