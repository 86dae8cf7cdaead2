import type { ReservedSql, Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import type { FileStores } from '../../adapters/storage/index.ts';
import { type Storage, StorageError } from '../../adapters/storage/storage.ts';
import { checkBackup, keysOfFile, measure } from './check-backup.ts';
import { readFileList } from './file-list.ts';
import { assertKnownVersion, fillDatabase } from './fill-database.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { type Place, readParts } from './parts.ts';

export type RestoreParts = {
  /** The schema's owner, of a database that nobody has used. */
  ownerUrl: string;
  /** The login of the server; undefined if it runs with the owner's. */
  appRole: string | undefined;
  place: Place;
  manifest: Manifest;
  stores: FileStores;
  /** The folder of migrations; tests pass another. */
  migrations?: string;
  log?: (line: string) => void;
};

/**
 * Makes an unused installation what another was when a backup was made. Everything is read and compared before anything is
 * changed; then come the files, and last all rows at once. Ended in the middle it may be run again. Everybody has to sign
 * in again, since a session may have been ended after the backup, and the stream has a new epoch, so that pages and phones
 * take fresh snapshots.
 * @throws BackupError if the backup is damaged or of a newer version, or if the database is in use
 */
export async function restoreBackup(parts: RestoreParts): Promise<void> {
  const { ownerUrl, appRole, place, manifest, stores, migrations, log = () => undefined } = parts;
  assertKnownVersion(manifest, migrations);
  const { sql, close } = connect(ownerUrl, { max: 1, name: 'lintel restore' });
  try {
    await assertUnused(sql, manifest);
  } finally {
    await close();
  }
  log('Reading the backup …');
  await checkBackup(place, manifest);
  const storage = stores[stores.preferred]?.storage;
  if (storage === undefined) throw new BackupError('The store of files is not configured.');
  const put: string[] = [];
  try {
    log('Copying files …');
    await putFiles(parts, storage, put);
    log('Copying rows …');
    await fillDatabase({ ...parts, adjust: (connection) => adjust(connection, stores.preferred) });
  } catch (error) {
    for (const key of put) await storage.delete(key).catch(() => undefined);
    throw error;
  }
  await migrate(ownerUrl, appRole, { ...(migrations !== undefined && { migrations }) });
  await analyze(ownerUrl);
}

/** @throws BackupError if anybody uses or has used the database, or its tables are newer than those of the backup */
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
      throw new BackupError('The database is in use. A backup is restored into an empty one.');
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

/** Changes what does not hold for another installation. */
async function adjust(connection: ReservedSql, store: 'disk' | 's3'): Promise<void> {
  // They may have been ended, used or withdrawn after the backup.
  await connection`delete from session_tokens`;
  await connection`delete from sessions`;
  await connection`delete from account_links`;
  await connection`update stored_files set store = ${store}, holder = null, leased_until = null, multipart_id = null`;
  // What had arrived of unfinished uploads is not in the backup: their devices begin again.
  await connection`delete from stored_file_parts`;
  // What `start_epoch` does: there are no functions while rows are put in.
  await connection`update stream_head set epoch = gen_random_uuid(), open = default, suspects = default`;
  await connection`update timed_jobs set run_id = null, leased_until = null`;
}

/**
 * Puts the files where the installation keeps them.
 * @param put receives the keys of those that were not there
 * @throws BackupError if another file has the name of one: the store belongs to another installation
 */
async function putFiles({ place, manifest }: RestoreParts, storage: Storage, put: string[]): Promise<void> {
  for await (const { sha256, bytes, key } of readFileList(place, manifest)) {
    try {
      const stream = readParts(place, keysOfFile(place, manifest, { sha256, bytes }));
      await storage.put(key, stream, { maxBytes: bytes, sha256 });
      put.push(key);
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'exists')) throw error;
      // A restore that was ended has put it there.
      const there = await storage.get(key);
      const found = there && (await measure(there.stream));
      if (found?.sha256 !== sha256) throw new BackupError(`The store of files has another file ${key}.`);
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
