import type { ReservedSql, Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { migrate, tablesAt } from '#db/migrate.ts';
import { plural } from '#shared/text/plural.ts';
import { type Storage, StorageError } from '../../adapters/storage/storage.ts';
import { BackupError, DamagedError } from './backup-error.ts';
import type { FileStorages } from './backup-options.ts';
import { checkBackup } from './check-backup.ts';
import { type ListedFile, readFileList } from './file-list.ts';
import { assertKnownVersion, fillDatabase, IN_USE } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import { CHUNK_BYTES, measure, type Repository, readParts } from './parts.ts';

export type RestoreOptions = {
  /** Login of the schema's owner. The database must be empty or unused. */
  ownerUrl: string;
  /** Login of the server; undefined if it uses the owner's. */
  appRole: string | undefined;
  repository: Repository;
  manifest: Manifest;
  stores: FileStorages;
  /** Leaves out files that are damaged or missing in the repository, instead of refusing the backup. */
  skipDamaged?: boolean;
  /** The folder of migrations; tests pass another. */
  migrations?: string;
  log?: (line: string) => void;
};

/**
 * Restores a backup into an unused installation. The whole backup is read and compared before anything changes; then files
 * are copied, and all rows are loaded in one transaction. An interrupted restore can be run again. Everybody has to sign in
 * again, because a session may have been ended after the backup; a new epoch makes pages and phones take fresh snapshots.
 * @returns the damaged files that were left out
 * @throws BackupError if the backup is damaged or of a newer version, or if the database is in use
 */
export async function restoreBackup(options: RestoreOptions): Promise<ListedFile[]> {
  const { ownerUrl, appRole, repository, manifest, stores, migrations, log = () => undefined } = options;
  assertKnownVersion(manifest, migrations);
  await assertUnused(options);
  log('Reading the backup …');
  const listed = await readFileList(repository, manifest);
  const damaged = await checkBackup(repository, manifest, listed);
  const [first] = damaged;
  if (first !== undefined && options.skipDamaged !== true) {
    throw new BackupError(
      `${first.parts[0]?.key} is damaged or missing (${plural(damaged.length, 'file')} in all). "--skip-damaged" restores without.`,
    );
  }
  const storage = stores[stores.preferred]?.storage;
  if (storage === undefined) throw new BackupError('The storage of files is not configured.');
  const sound = listed.filter((file) => !damaged.includes(file));
  const put: string[] = [];
  try {
    log('Copying files …');
    await putFiles(repository, storage, { files: sound, put });
    log('Copying rows …');
    await fillDatabase({ ...options, adjust: (connection) => adjust(connection, stores.preferred) });
  } catch (error) {
    // Keeps the files if the outcome of the commit is unknown, because rows may refer to them.
    if (await hasNoPeople(ownerUrl)) for (const key of put) await storage.delete(key).catch(() => undefined);
    throw error;
  }
  await migrate(ownerUrl, appRole, { ...(migrations !== undefined && { migrations }) });
  await analyze(ownerUrl);
  return damaged;
}

/**
 * @throws BackupError if Lintel runs on the database, or if the database has people, tables of a newer version or tables of other
 *   programs
 */
async function assertUnused({ ownerUrl, manifest, migrations }: RestoreOptions): Promise<void> {
  const until = manifest.migrations.at(-1)?.at ?? 0;
  const { sql, close } = connect(ownerUrl, { max: 1, name: 'lintel restore' });
  try {
    const [others] = await sql<{ any: boolean }[]>`
      select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'lintel%' and application_name not in ('lintel restore', 'lintel admin')) as any`;
    if (others?.any === true) throw new BackupError('Lintel is running on this database. Stop it first.');
    const foreign = await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all(${[...tablesAt(until, migrations)]}::text[])
      order by 1`;
    const [newest] = await readNewest(sql);
    if ((newest?.at ?? 0) > until) {
      throw new BackupError(
        'The database has the tables of a newer version already. Restore into an empty one, or with another DATA_DIR.',
      );
    }
    if (foreign.length > 0) {
      const names = foreign.map(({ name }) => name).join(', ');
      throw new BackupError(
        `The database has tables of other programs: ${names}. Restore into a database of its own.`,
      );
    }
    if (!(await hasNoPeopleIn(sql))) throw new BackupError(IN_USE);
  } finally {
    await close();
  }
}

async function readNewest(sql: Sql): Promise<{ at: number | null }[]> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
  if (table?.there !== true) return [];
  return await sql<
    { at: number | null }[]
  >`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
}

async function hasNoPeopleIn(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('public.profiles') is not null as there`;
  if (table?.there !== true) return true;
  const [row] = await sql<{ any: boolean }[]>`select exists (select from profiles) as any`;
  return row?.any === false;
}

/** Whether the database contains no people; false if it cannot be read. */
async function hasNoPeople(ownerUrl: string): Promise<boolean> {
  const { sql, close } = connect(ownerUrl, { max: 1, name: 'lintel restore' });
  try {
    return await hasNoPeopleIn(sql);
  } catch {
    return false;
  } finally {
    await close();
  }
}

/** Adapts the rows to the new installation. */
async function adjust(connection: ReservedSql, store: 'disk' | 's3'): Promise<void> {
  // Sessions, links and codes may have been revoked or used after the backup.
  await connection`delete from session_tokens`;
  await connection`delete from sessions`;
  await connection`delete from account_links`;
  await connection`delete from setup_codes`;
  await connection`delete from display_codes`;
  // Not every table exists: the tables are those of the version that made the backup, which may be an earlier version.
  if (await hasTable(connection, 'api_keys')) {
    await connection`update api_keys set revoked_at = now(), version = version + 1 where revoked_at is null`;
  }
  if (await hasTable(connection, 'webhooks')) {
    // The installation that was backed up may still run, and receivers would get reports from both installations.
    await connection`update webhooks set off_at = now(), off_reason = 'restored', reports_to = position, version = version + 1
      where off_at is null and removed_at is null`;
  }
  await connection`update stored_files set store = ${store}, holder = null, leased_until = null, multipart_id = null`;
  // Partial bytes of unfinished uploads are not backed up, so clients start these uploads again.
  await connection`delete from stored_file_parts`;
  // As `start_epoch()` does; functions do not exist while rows are loaded.
  await connection`update stream_head set epoch = gen_random_uuid(), open = default, suspects = default`;
  await connection`update timed_jobs set run_id = null, leased_until = null`;
}

async function hasTable(connection: ReservedSql, name: string): Promise<boolean> {
  const [row] = await connection<{ there: boolean }[]>`
    select to_regclass(${`public.${name}`}) is not null as there`;
  return row?.there === true;
}

/**
 * Copies files into the storage of the installation.
 * @param put receives the keys of the files that were copied
 * @throws BackupError if the storage is full, or has a different file with the same key, because another installation uses it
 */
async function putFiles(
  repository: Repository,
  storage: Storage,
  { files, put }: { files: readonly ListedFile[]; put: string[] },
): Promise<void> {
  for (const { sha256, bytes, key, parts } of files) {
    try {
      await storage.put(key, readParts(repository, parts, { compare: false }), { maxBytes: bytes, sha256 });
      put.push(key);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'full') {
        throw new BackupError('There is no room for the files. Nothing was restored.', { cause: error });
      }
      if (error instanceof StorageError && (error.code === 'mismatch' || error.code === 'too_large')) {
        throw new DamagedError(`${parts[0]?.key} is damaged.`, { cause: error });
      }
      if (!(error instanceof StorageError && error.code === 'exists')) throw error;
      // An interrupted restore may have copied the file.
      const there = await storage.get(key, undefined, { chunkBytes: CHUNK_BYTES });
      const found = there && (await measure(there.stream));
      if (found?.sha256 !== sha256) {
        throw new BackupError(
          `The storage has a different file ${key}; another installation seems to use it.`,
        );
      }
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
