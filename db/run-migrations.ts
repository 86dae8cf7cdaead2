import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';
import { withLocks } from './with-locks.ts';

/**
 * The database was set up by a version whose migrations are no longer part of Lintel. The message gives the ways to continue.
 */
export class OlderDatabaseError extends Error {
  override name = 'OlderDatabaseError';
  constructor() {
    super(
      'it was set up by a version from before 0.1.0, which cannot be upgraded. Start with an empty database, or with ' +
        'another DATA_DIR.',
    );
  }
}

const CONCURRENT_INDEX =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"([^"]+)"/i;

/**
 * Runs the migrations that this database does not have yet, each in its own transaction, while the system may be running.
 * Indexes made with CONCURRENTLY are built afterwards, outside a transaction. Missing or invalid indexes are built again, so
 * a run may be interrupted at any point.
 * @param sql one connection of the schema's owner
 * @param options.until the number of the last migration to run; all if absent
 * @throws OlderDatabaseError before anything is changed
 * @throws Error if a migration does not get its locks within ten minutes
 */
export async function runMigrations(
  sql: Sql,
  folder: string,
  { until = Number.POSITIVE_INFINITY } = {},
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis }) => folderMillis <= until,
  );
  // The same table as that of the query builder's own migrator.
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`;
  const [applied] = await sql<{ first: string | null; last: string | null }[]>`
    select min(created_at) as first, max(created_at) as last from drizzle.__drizzle_migrations`;
  const [first] = migrations;
  if (applied?.first != null && first !== undefined && Number(applied.first) < first.folderMillis) {
    throw new OlderDatabaseError();
  }
  for (const migration of migrations) {
    if (migration.folderMillis > Number(applied?.last ?? -1)) await runOne(sql, migration);
  }
  await buildIndexes(sql, migrations);
}

async function runOne(sql: Sql, { sql: statements, hash, folderMillis }: MigrationMeta): Promise<void> {
  await withLocks(sql, async (tx) => {
    for (const statement of statements) {
      if (!CONCURRENT_INDEX.test(withoutComments(statement))) await tx.unsafe(statement);
    }
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  });
}

async function buildIndexes(sql: Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  const wanted = concurrentIndexes(migrations);
  if (wanted.size === 0) return;
  const known = await sql<{ name: string; valid: boolean }[]>`
    select c.relname as name, i.indisvalid as valid from pg_class c join pg_index i on i.indexrelid = c.oid
    where c.relname = any(${[...wanted.keys()]}::text[]) and c.relnamespace = 'public'::regnamespace`;
  const valid = new Map(known.map((index) => [index.name, index.valid]));
  // No timeout, because a concurrent build waits for running transactions, and no other statement waits for the build.
  await sql`select set_config('lock_timeout', '0', false)`;
  for (const [name, statement] of wanted) {
    if (valid.get(name) === true) continue;
    if (valid.has(name)) await sql`drop index concurrently ${sql(name)}`;
    await sql.unsafe(statement);
  }
}

/**
 * The concurrent indexes of all migrations by name, without those that a later migration drops, alone or with their
 * table.
 */
function concurrentIndexes(migrations: readonly MigrationMeta[]): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const text of migrations.flatMap((migration) => migration.sql)) {
    const statement = withoutComments(text);
    const name = CONCURRENT_INDEX.exec(statement)?.[1];
    if (name !== undefined) wanted.set(name, statement);
    const [, kind, dropped] =
      /^\s*drop\s+(index|table)\s+(?:if\s+exists\s+)?"([^"]+)"/i.exec(statement) ?? [];
    if (kind === undefined || dropped === undefined) continue;
    for (const [index, made] of wanted) {
      const gone = kind.toLowerCase() === 'index' ? index === dropped : made.includes(`ON "${dropped}"`);
      if (gone) wanted.delete(index);
    }
  }
  return wanted;
}

function withoutComments(statement: string): string {
  return statement.replace(/^\s*--.*$/gm, '').trim();
}
