import { getTableColumns, is, type Placeholder, SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * SQL of rows passed as one JSON parameter, for `insert(table).select(…)`. With a parameter for each value, the text would
 * differ with the number of rows, and a dozen rows would cost more to build than to insert. For columns of text, numbers,
 * booleans, dates, ids and arrays of these.
 */
export function jsonRows(table: PgTable, rows: Placeholder): SQL {
  const columns = Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name));
  return sql`select ${sql.join(columns, sql`, `)} from json_populate_recordset(null::${table}, ${rows}::text::json)`;
}

/** The value of the placeholder of `jsonRows`. A missing value becomes its column's default, or null. */
export function rowsAsJson<Table extends PgTable>(
  table: Table,
  rows: readonly Table['$inferInsert'][],
): string {
  const columns = Object.entries(getTableColumns(table)).map(([key, { name, default: otherwise }]) => ({
    key,
    name,
    otherwise,
  }));
  function objectOf(row: Record<string, unknown>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const { key, name, otherwise } of columns) {
      const value = row[key] === undefined ? otherwise : row[key];
      if (is(value, SQL)) throw new Error(`${name} needs a value: its default is an expression`);
      // Postgres reads a missing key as null.
      if (value != null) object[name] = value;
    }
    return object;
  }
  return JSON.stringify(rows.map(objectOf));
}
