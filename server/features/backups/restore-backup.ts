import type { ReservedSql, Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { type Storage, StorageError } from '../../adapters/storage/storage.ts';
import { checkBackup, keysOfFile, measure } from './check-backup.ts';
import { readFileList } from './file-list.ts';
import { assertKnownVersion, fillDatabase } from './fill-database.ts';
import type { FileStorages } from './make-backup.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { type Repository, readParts } from './parts.ts';

export type RestoreOptions = {
  /** Login of the schema's owner. The database must be empty or unused. */
  ownerUrl: string;
  /** Login of the server; undefined if it uses the owner's. */
  appRole: string | undefined;
  repository: Repository;
  manifest: Manifest;
  stores: FileStorages;
  /** The folder of migrations; tests pass another. */
  migrations?: string;
  log?: (line: string) => void;
};

/**
 * Restores a backup into an unused installation. The whole backup is read and compared before anything changes; then files
 * are copied, and all rows are loaded in one transaction. An interrupted restore can be run again. Everybody has to sign in
 * again, because a session may have been ended after the backup; a new epoch makes pages and phones take fresh snapshots.
 * @throws BackupError if the backup is damaged or of a newer version, or if the database is in use
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { ownerUrl, appRole, repository, manifest, stores, migrations, log = () => undefined } = options;
  assertKnownVersion(manifest, migrations);
  const { sql, close } = connect(ownerUrl, { max: 1, name: 'lintel restore' });
  try {
    await assertUnused(sql, manifest);
  } finally {
    await close();
  }
  log('Reading the backup …');
  await checkBackup(repository, manifest);
  const storage = stores[stores.preferred]?.storage;
  if (storage === undefined) throw new BackupError('The storage of files is not configured.');
  const put: string[] = [];
  try {
    log('Copying files …');
    await putFiles(options, storage, put);
    log('Copying rows …');
    await fillDatabase({ ...options, adjust: (connection) => adjust(connection, stores.preferred) });
  } catch (error) {
    for (const key of put) await storage.delete(key).catch(() => undefined);
    throw error;
  }
  await migrate(ownerUrl, appRole, { ...(migrations !== undefined && { migrations }) });
  await analyze(ownerUrl);
}

/** @throws BackupError if the database is or was in use, or has newer tables than the backup */
async function assertUnused(sql: Sql, { migrations }: Manifest): Promise<void> {
  const [others] = await sql<{ any: boolean }[]>`
    select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'lintel%' and application_name not in ('lintel restore', 'lintel admin')) as any`;
  if (others?.any === true) throw new BackupError('Lintel is running on this database. Stop it first.');
  const [tables] = await sql<{ people: boolean; migrations: boolean }[]>`
    select to_regclass('public.profiles') is not null as people,
      to_regclass('drizzle.__drizzle_migrations') is not null as migrations`;
  if (tables?.people === true) {
    const [row] = await sql<{ any: boolean }[]>`select exists (select from profiles) as any`;
    if (row?.any === true) {
      throw new BackupError('The database contains people already. Restore into an empty one.');
    }
  }
  if (tables?.migrations !== true) return;
  const [newest] = await sql<{ at: number | null }[]>`
    select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
  if ((newest?.at ?? 0) > (migrations.at(-1)?.at ?? 0)) {
    throw new BackupError(
      'The database has the tables of a newer version already. Restore into an empty one, or with another DATA_DIR.',
    );
  }
}

/** Adapts the rows to the new installation. */
async function adjust(connection: ReservedSql, store: 'disk' | 's3'): Promise<void> {
  // They may have been revoked or used after the backup.
  await connection`delete from session_tokens`;
  await connection`delete from sessions`;
  await connection`delete from account_links`;
  await connection`update stored_files set store = ${store}, holder = null, leased_until = null, multipart_id = null`;
  // Partial bytes of unfinished uploads are not backed up, so clients start these uploads again.
  await connection`delete from stored_file_parts`;
  // As `start_epoch()` does; functions do not exist while rows are loaded.
  await connection`update stream_head set epoch = gen_random_uuid(), open = default, suspects = default`;
  await connection`update timed_jobs set run_id = null, leased_until = null`;
}

/**
 * Copies the files into the storage of the installation.
 * @param put receives the keys of the files that were copied
 * @throws BackupError if the storage has a different file with the same key, because another installation uses it
 */
async function putFiles(
  { repository, manifest }: RestoreOptions,
  storage: Storage,
  put: string[],
): Promise<void> {
  for await (const { sha256, bytes, key } of readFileList(repository, manifest)) {
    try {
      const stream = readParts(repository, keysOfFile(repository, manifest, { sha256, bytes }));
      await storage.put(key, stream, { maxBytes: bytes, sha256 });
      put.push(key);
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'exists')) throw error;
      // An interrupted restore has copied it.
      const there = await storage.get(key);
      const found = there && (await measure(there.stream));
      if (found?.sha256 !== sha256)
        throw new BackupError(
          `The storage has a different file ${key}; another installation seems to use it.`,
        );
    }
  }
}

async function analyze(ownerUrl: string): Promise<void> {
  const { sql, close } = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel restore' });
  try {
    await sql`analyze`;
  } finally {
    await close();
  }
}
