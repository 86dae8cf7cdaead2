import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import { connect, type DatabaseClient } from './client.ts';
import { applyFunctions } from './functions.ts';
import { runMigrations } from './run-migrations.ts';

/**
 * The key of the advisory lock that a process holds while it migrates. It must differ from the keys of other programs in this
 * database.
 */
const MIGRATION_LOCK = 7_461_001;
const LOOK_MS = 200;
const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const FUNCTIONS_FOLDER = fileURLToPath(new URL('./functions', import.meta.url));

const journalSchema = z.object({ entries: z.array(z.object({ idx: z.number(), when: z.number() })) });
const snapshotSchema = z.object({ tables: z.record(z.string(), z.unknown()) });

/** Tables that the application's login must not change: the event log (rule S4). */
const READ_ONLY_TABLES = ['events', 'event_payloads', 'stream_head'];

/**
 * Migrates the schema as its owner, one process at a time, applies the functions, and grants the application's login its
 * rights on the tables. The rights on functions are granted in the files of the functions.
 * @param appRole the login that the server runs with; undefined if the server runs with the owner's login
 * @param folders tests pass other folders
 */
export async function migrate(
  ownerUrl: string,
  appRole: string | undefined,
  { migrations = MIGRATIONS_FOLDER, functions = FUNCTIONS_FOLDER } = {},
): Promise<void> {
  const client = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel migrate' });
  try {
    await lock(client);
    await runMigrations(client.sql, migrations);
    await applyFunctions(client.sql, functions, appRole);
    if (appRole !== undefined) await grant(client, appRole);
  } finally {
    await client.close();
  }
}

/**
 * Creates the tables of an earlier version, without functions and triggers, so that a backup of that version can be restored
 * into them. `migrate` must then be called to complete the schema.
 * @param until the number of that version's last migration
 */
export async function migrateTo(
  ownerUrl: string,
  until: number,
  migrations = MIGRATIONS_FOLDER,
): Promise<void> {
  const client = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel migrate' });
  try {
    await lock(client);
    await runMigrations(client.sql, migrations, { until });
  } finally {
    await client.close();
  }
}

/** The hashes and numbers of this version's migrations, in the order in which they run. */
export function knownMigrations(folder = MIGRATIONS_FOLDER): { hash: string; at: number }[] {
  return readMigrationFiles({ migrationsFolder: folder }).map(({ hash, folderMillis }) => ({
    hash,
    at: folderMillis,
  }));
}

/**
 * Returns the names of the tables that exist after a migration, from the snapshot that `drizzle-kit` wrote for it.
 * @param until the timestamp (`when`) of the migration
 */
export function tablesAt(until: number, folder = MIGRATIONS_FOLDER): Set<string> {
  const { entries } = journalSchema.parse(readJson(join(folder, 'meta', '_journal.json')));
  const entry = entries.find(({ when }) => when === until);
  if (entry === undefined) throw new Error(`there is no migration ${until}`);
  const name = `${String(entry.idx).padStart(4, '0')}_snapshot.json`;
  const { tables } = snapshotSchema.parse(readJson(join(folder, 'meta', name)));
  return new Set(Object.keys(tables).map((table) => table.replace(/^public\./, '')));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The login in a database's URL. */
export function loginOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/** Polls for the lock, because a statement that waits for it would deadlock with a concurrent index build of another process. */
async function lock({ sql }: DatabaseClient): Promise<void> {
  for (;;) {
    const [row] = await sql<{ mine: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`;
    if (row?.mine === true) return;
    await pause(LOOK_MS);
  }
}

async function grant({ sql }: DatabaseClient, appRole: string): Promise<void> {
  const role = sql(appRole);
  await sql.begin(async (tx) => {
    await tx`grant usage on schema public to ${role}`;
    // A backup records the migrations that made its tables.
    await tx`grant usage on schema drizzle to ${role}`;
    await tx`grant select on drizzle.__drizzle_migrations to ${role}`;
    await tx`grant select, insert, update, delete on all tables in schema public to ${role}`;
    await tx`grant usage, select on all sequences in schema public to ${role}`;
    for (const table of READ_ONLY_TABLES) {
      await tx`revoke insert, update, delete, truncate on ${tx(table)} from ${role}`;
    }
    await tx`revoke update, delete, truncate on outbox from ${role}`;
  });
}
