import { Readable } from 'node:stream';
import { connect } from '#db/client.ts';
import { formatNumber } from '#shared/format-number.ts';
import { plural } from '#shared/text/plural.ts';
import type { Storage } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { BackupOptions } from './backup-options.ts';
import { type Dump, dumpDatabase } from './dump-database.ts';
import { formatFileList, type ListedFile } from './file-list.ts';
import { FORMAT, type Manifest, signManifest } from './manifest.ts';
import { backupFolder, fileListKey, manifestKey, newBackupId } from './object-keys.ts';
import { writeParts } from './parts.ts';
import { objectsOf } from './stored-backups.ts';
import { storedFiles } from './stored-files.ts';

export type MadeBackup = { manifest: Manifest; rows: number; newFiles: number; newBytes: number };

/**
 * Makes a backup while the server runs: first all rows, in one snapshot, then the files that they refer to and that the
 * repository does not have yet, and the manifest last. The manifest counts files that the installation has lost. If it
 * fails, everything that it has written is deleted except files, which the next backup reuses.
 * @throws StorageError if the repository is full or does not answer
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const id = newBackupId(options.now);
  try {
    return await make(options, id);
  } catch (error) {
    await deleteFolder(options.repository.storage, id);
    throw error;
  }
}

async function make(options: BackupOptions, id: string): Promise<MadeBackup> {
  const { repository, version, installation, encryptedTo, signingKey, log = () => undefined } = options;
  const { files, ...database } = await dump(options, id);
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  log(plural(rows, 'row'));

  const store = await storedFiles(options);
  const listed: ListedFile[] = [];
  let [lost, newFiles, newBytes] = [0, 0, 0];
  for (const file of files) {
    repository.signal?.throwIfAborted();
    const { sha256, bytes, key } = file;
    const { parts, isNew } = await store(file);
    if (parts === undefined) {
      // A file in the bin may have been erased since the snapshot.
      if (file.state === 'stored') lost += 1;
      continue;
    }
    listed.push({ sha256, bytes, key, parts });
    if (!isNew) continue;
    newFiles += 1;
    newBytes += bytes;
  }
  const size = `${(newBytes / 1024 ** 2).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  log(`${plural(listed.length, 'file')}, ${formatNumber(newFiles)} new (${size})`);

  // Not encrypted: the names of the stored objects reveal the same hashes, and pruning must read the list without the identity.
  const list = await writeParts(
    { ...repository, cipher: undefined },
    fileListKey(id),
    formatFileList(listed),
  );
  const manifest: Manifest = {
    format: FORMAT,
    id,
    installation,
    version,
    ...database,
    files: {
      parts: list,
      count: listed.length,
      total: listed.reduce((sum, { bytes }) => sum + bytes, 0),
      lost,
    },
    encryptedTo,
  };
  const text = Buffer.from(signManifest(manifest, signingKey));
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

/** Deletes the objects of a failed backup. It has no manifest, because that is written last. */
async function deleteFolder(storage: Storage, id: string): Promise<void> {
  try {
    for await (const { key } of objectsOf(storage, backupFolder(id))) await storage.delete(key);
  } catch {
    // Ignored, because the error of the backup says more. Pruning deletes the remains later.
  }
}
