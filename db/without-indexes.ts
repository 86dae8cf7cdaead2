import type { ReservedSql } from 'postgres';

/**
 * Runs `load` while a table has neither indexes nor foreign keys, and creates them again afterwards. Building each index in
 * one pass over all rows is several times faster than a check and an insert into each index for each row. Indexes of keys
 * remain. If `load` fails, the caller must roll back.
 * @param connection in a transaction, as the owner of the table
 */
export async function withoutIndexes(
  connection: ReservedSql,
  table: string,
  load: () => Promise<void>,
): Promise<void> {
  const foreignKeys = await connection<{ name: string; definition: string }[]>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${`public."${table}"`}::regclass and contype = 'f'`;
  const indexes = await connection<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = ${`public."${table}"`}::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;
  for (const { name } of foreignKeys) {
    await connection.unsafe(`alter table public."${table}" drop constraint "${name}"`);
  }
  for (const { name } of indexes) await connection.unsafe(`drop index ${name}`);
  await load();
  for (const { definition } of indexes) await connection.unsafe(definition);
  for (const { name, definition } of foreignKeys) {
    await connection.unsafe(`alter table public."${table}" add constraint "${name}" ${definition}`);
  }
}
