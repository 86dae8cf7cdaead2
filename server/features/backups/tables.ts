import type { ISql } from 'postgres';

/** A table as a backup copies it: the columns that are stored, not those that Postgres generates. */
export type CopiedTable = { name: string; columns: string[] };

/**
 * Lists tables of the schema `public`, each after the tables that its rows refer to. Unlogged tables are left out, because a
 * crash empties them, too.
 * @param own the names of Lintel's tables; other programs may have tables in the same schema
 * @throws Error if tables refer to each other in a cycle
 */
export async function tablesInOrder(sql: ISql, own: ReadonlySet<string>): Promise<CopiedTable[]> {
  const tables = await sql<(CopiedTable & { after: string[] })[]>`
    select c.relname as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      array(
        select distinct other.relname::text from pg_constraint f join pg_class other on other.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as after
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname = any(${[...own]}::text[])
    order by c.relname`;
  const ordered: CopiedTable[] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const done = new Set(ordered.map(({ name }) => name));
    const at = waiting.findIndex(({ after }) => after.every((name) => done.has(name)));
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined)
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join()}`);
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

/** Makes `COPY` write and read values in the same format, whatever the defaults of the database and the login are. */
export async function setStandardFormats(sql: ISql): Promise<void> {
  await sql`set local datestyle = 'ISO, MDY'`;
  await sql`set local intervalstyle = 'postgres'`;
  await sql`set local extra_float_digits = 1`;
}
