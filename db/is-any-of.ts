import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * The column is one of these ids, however many. They go as one parameter: a statement with thousands keeps everybody
 * waiting while it is put together.
 */
export function isAnyOf(column: AnyPgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(string_to_array(${ids.join()}, ',')::uuid[])`;
}
