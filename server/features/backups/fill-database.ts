import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ReservedSql, Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { removeFunctions } from '#db/functions.ts';
import { knownMigrations, migrateTo, tablesAt } from '#db/migrate.ts';
import { withoutIndexes } from '#db/without-indexes.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { CHUNK_BYTES, type Repository, readParts } from './parts.ts';
import { setStandardFormats, tablesInOrder } from './tables.ts';

/** Rows of a table from which it is faster to create its indexes afterwards. */
const MANY_ROWS = 10_000;

/** Message of a restore that is refused because the database contains people. */
export const IN_USE =
  'The database contains people already. Restore into an empty one. (A restore that was interrupted at its very end is completed by starting Lintel.)';

export type FillOptions = {
  /** Login of the schema's owner. */
  ownerUrl: string;
  repository: Repository;
  manifest: Manifest;
  /** The folder of migrations; tests pass another. */
  migrations?: string;
  /** Called in the transaction of the rows, after the last of them and before the commit. */
  adjust?: (connection: ReservedSql) => Promise<void>;
};

/** @throws BackupError unless the migrations of the backup are the first ones of this version */
export function assertKnownVersion({ migrations, version }: Manifest, folder?: string): void {
  const known = knownMigrations(folder);
  const isKnown = migrations.every(
    ({ hash, at }, index) => known[index]?.hash === hash && known[index]?.at === at,
  );
  if (isKnown) return;
  throw new BackupError(
    migrations.length > known.length
      ? `It was made by version ${version} of Lintel, which is newer. Install that version, and restore again.`
      : `It was made by version ${version} of Lintel, whose database this version does not know.`,
  );
}

/**
 * Loads the rows of a backup into an unused database: creates the tables of the version that made the backup, and loads all
 * rows in one transaction. Call `migrate` afterwards, which brings the tables to this version and creates the functions.
 * @throws BackupError if a table has another number of rows than the manifest says
 */
export async function fillDatabase(options: FillOptions): Promise<void> {
  const { ownerUrl, manifest, migrations } = options;
  const { signal } = options.repository;
  await migrateTo(ownerUrl, lastOf(manifest), migrations);
  const noLimits = { statementTimeoutMs: 0, idleInTransactionMs: 0 };
  const { sql, close } = connect(ownerUrl, { max: 1, ...noLimits, name: 'lintel restore' });
  const end = () => void sql.end({ timeout: 0 });
  signal?.addEventListener('abort', end);
  try {
    // Triggers would insert rows that the backup contains already.
    await removeFunctions(sql);
    await fill(sql, options);
  } finally {
    signal?.removeEventListener('abort', end);
    await close();
  }
}

async function fill(sql: Sql, { repository, manifest, migrations, adjust }: FillOptions): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    await setStandardFormats(connection);
    await fillTables(connection, repository, manifest, tablesAt(lastOf(manifest), migrations));
    await adjust?.(connection);
    await connection`commit`;
  } catch (error) {
    await connection`rollback`.catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

async function fillTables(
  connection: ReservedSql,
  repository: Repository,
  { tables, sequences }: Manifest,
  own: ReadonlySet<string>,
): Promise<void> {
  const here = new Map((await tablesInOrder(connection, own)).map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const known = here.get(name);
    if (known === undefined) throw new BackupError(`It has a table that is unknown here: ${name}.`);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined)
      throw new BackupError(`It has a column that is unknown here: ${name}.${unknown}.`);
  }
  // Keeps out a server, or another restore, that has started in the meantime.
  await connection.unsafe(`lock table ${[...here.keys()].map((name) => `public."${name}"`).join(', ')}`);
  const [people] = await connection<{ any: boolean }[]>`select exists (select from profiles) as any`;
  if (people?.any === true) throw new BackupError(IN_USE);
  // Migrations insert a few rows, which the backup contains, too.
  await connection.unsafe(`truncate ${[...here.keys()].map((name) => `public."${name}"`).join(', ')}`);
  for (const { name, columns, parts, rows } of tables) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const load = async () => {
      const into = await connection.unsafe(`copy public."${name}" (${list}) from stdin`).writable();
      await pipeline(readParts(repository, parts), createGunzip({ chunkSize: CHUNK_BYTES }), into);
    };
    await (rows < MANY_ROWS ? load() : withoutIndexes(connection, name, load));
    const [found] = await connection.unsafe<{ n: number }[]>(
      `select count(*)::int as n from public."${name}"`,
    );
    if (found?.n !== rows) throw new BackupError(`${name} has ${found?.n} rows instead of ${rows}.`);
  }
  for (const { name, value } of sequences) {
    await connection`select setval(${`public."${name}"`}::regclass, ${value}::bigint)`;
  }
}

function lastOf({ migrations }: Manifest): number {
  return migrations.at(-1)?.at ?? 0;
}
