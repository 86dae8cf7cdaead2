import { fileURLToPath } from 'node:url';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connect, type DatabaseClient } from './client.ts';

/** Any number that no other program uses in this database; held while one process migrates. */
const MIGRATION_LOCK = 7_461_001;
const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** What the application's own login may not touch: the record of what happened (rule S4). */
const READ_ONLY_TABLES = ['events', 'event_payloads', 'stream_head', 'chain_head'];

/**
 * Brings the schema up to date as its owner, one process at a time, and gives the application's login its rights.
 * @param appRole login that the server runs with; undefined where it is the owner's own
 */
export async function migrate(ownerUrl: string, appRole: string | undefined): Promise<void> {
  const client = connect(ownerUrl, { max: 1, statementTimeoutMs: 0, name: 'lintel migrate' });
  try {
    await client.sql`select set_config('lock_timeout', '0', false)`;
    await client.sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await runMigrations(client.db, { migrationsFolder: MIGRATIONS_FOLDER });
    if (appRole !== undefined) await grant(client, appRole);
  } finally {
    await client.close();
  }
}

async function grant({ sql }: DatabaseClient, appRole: string): Promise<void> {
  const role = sql(appRole);
  await sql.begin(async (tx) => {
    await tx`grant usage on schema public to ${role}`;
    await tx`grant select, insert, update, delete on all tables in schema public to ${role}`;
    await tx`grant usage, select on all sequences in schema public to ${role}`;
    for (const table of READ_ONLY_TABLES) {
      await tx`revoke insert, update, delete, truncate on ${tx(table)} from ${role}`;
    }
    await tx`revoke update, delete, truncate on outbox from ${role}`;
    await tx`grant execute on function sequence_events(), start_epoch(uuid) to ${role}`;
  });
}
