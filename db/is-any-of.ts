import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * SQL condition "the column is one of these ids", for any number of ids. All ids are one parameter, because building a
 * statement with thousands of parameters blocks the event loop.
 */
export function isAnyOf(column: AnyPgColumn, ids: readonly string[] | Placeholder): SQL {
  const joined = 'join' in ids ? idList(ids) : ids;
  return sql`${column} = any(string_to_array(${joined}, ',')::uuid[])`;
}

/** The value of a placeholder of `isAnyOf`. */
export function idList(ids: readonly string[]): string {
  return ids.join();
}

/** SQL condition "the column is one of these texts", for any number of texts, compared by code points. */
export function isAnyOfTexts(column: AnyPgColumn, texts: readonly string[]): SQL {
  const list = JSON.stringify(texts);
  return sql`${column} collate "C" = any(array(select json_array_elements_text(${list}::text::json)))`;
}
