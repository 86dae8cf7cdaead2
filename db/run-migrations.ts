import { setTimeout as pause } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';

/** The database was set up by a version whose migrations are no longer part of Lintel. The message says what to do. */
export class OlderDatabaseError extends Error {
  override name = 'OlderDatabaseError';
  constructor() {
    super(
      'it was set up by a version from before 0.1.0, which cannot be upgraded. Start with an empty database, or with ' +
        'another DATA_DIR.',
    );
  }
}

/** Later statements on a table queue behind one that waits for its lock; this bounds how long. */
const LOCK_WAIT_MS = 1_000;
const PAUSE_MS = 500;
/** After this it is said that a migration does not get its lock, instead of trying for ever. */
const PATIENCE_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

const CONCURRENT_INDEX =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"([^"]+)"/i;

/**
 * Runs the migrations that this database has not had, each in a transaction of its own, beside a running system. An
 * index that is made with CONCURRENTLY is built after them, outside of any transaction, and again where it is missing
 * or was left half built, so a run may be interrupted anywhere.
 * @param sql one connection, of the schema's owner
 * @throws OlderDatabaseError before anything is changed
 * @throws Error when a migration has not had its locks for ten minutes
 */
export async function runMigrations(sql: Sql, folder: string): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  // The table that the query builder's own runner uses, too.
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
    if (migration.folderMillis > Number(applied?.last ?? -1)) await untilLocked(() => runOne(sql, migration));
  }
  await buildIndexes(sql, migrations);
}

async function runOne(sql: Sql, { sql: statements, hash, folderMillis }: MigrationMeta): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
    for (const statement of statements) {
      if (!CONCURRENT_INDEX.test(withoutComments(statement))) await tx.unsafe(statement);
    }
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  });
}

async function untilLocked(run: () => Promise<void>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > until) throw error;
      // At uneven intervals, so that it does not keep meeting what comes at even ones.
      await pause(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

async function buildIndexes(sql: Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  const wanted = concurrentIndexes(migrations);
  if (wanted.size === 0) return;
  const known = await sql<{ name: string; valid: boolean }[]>`
    select c.relname as name, i.indisvalid as valid from pg_class c join pg_index i on i.indexrelid = c.oid
    where c.relname = any(${[...wanted.keys()]}::text[]) and c.relnamespace = 'public'::regnamespace`;
  const valid = new Map(known.map((index) => [index.name, index.valid]));
  // It waits for the transactions that are under way, and nobody waits behind it.
  await sql`select set_config('lock_timeout', '0', false)`;
  for (const [name, statement] of wanted) {
    if (valid.get(name) === true) continue;
    if (valid.has(name)) await sql`drop index concurrently ${sql(name)}`;
    await sql.unsafe(statement);
  }
}

/** By name, without those that a later migration drops, alone or with their table. */
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
