import type { Sql } from 'postgres';

/**
 * Terminates a database's connections and drops it, as its owner. Not `with (force)`, which fails ("permission denied
 * to terminate process") if it meets an autovacuum worker of the superuser. The plain command ends those itself and
 * waits up to 5 s for all to be gone.
 */
export async function dropDatabase(sql: Sql, name: string): Promise<void> {
  const [existing] = await sql`select 1 from pg_database where datname = ${name}`;
  if (existing === undefined) return;
  await sql`alter database ${sql(name)} allow_connections false`;
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and backend_type = 'client backend'`;
  await sql`drop database if exists ${sql(name)}`;
}
