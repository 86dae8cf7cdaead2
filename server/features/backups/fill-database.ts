import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ReservedSql, Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { removeFunctions } from '#db/functions.ts';
import { knownMigrations, migrateTo } from '#db/migrate.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { type Repository, readParts } from './parts.ts';
import { tablesInOrder } from './table-order.ts';

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
  await migrateTo(ownerUrl, manifest.migrations.at(-1)?.at ?? 0, migrations);
  const noLimits = { statementTimeoutMs: 0, idleInTransactionMs: 0 };
  const { sql, close } = connect(ownerUrl, { max: 1, ...noLimits, name: 'lintel restore' });
  try {
    // Triggers would insert rows that the backup contains already.
    await removeFunctions(sql);
    await fill(sql, options);
  } finally {
    await close();
  }
}

async function fill(sql: Sql, { repository, manifest, adjust }: FillOptions): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    await fillTables(connection, repository, manifest);
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
): Promise<void> {
  const here = (await tablesInOrder(connection)).map(({ name }) => name);
  const unknown = tables.filter(({ name }) => !here.includes(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new BackupError(`It has tables that are unknown here: ${unknown.join(', ')}.`);
  }
  // Migrations insert a few rows, which the backup contains, too.
  await connection.unsafe(`truncate ${here.map((name) => `public."${name}"`).join(', ')}`);
  for (const { name, columns, parts, rows } of tables) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const into = await connection.unsafe(`copy public."${name}" (${list}) from stdin`).writable();
    const keys = parts.map(({ key }) => key);
    await pipeline(readParts(repository, keys), createGunzip(), into);
    const [found] = await connection.unsafe<{ n: number }[]>(
      `select count(*)::int as n from public."${name}"`,
    );
    if (found?.n !== rows) throw new BackupError(`${name} has ${found?.n} rows instead of ${rows}.`);
  }
  for (const { name, value } of sequences) {
    await connection`select setval(${`public."${name}"`}::regclass, ${value}::bigint)`;
  }
}
