import { type SQL, sql } from 'drizzle-orm';
import { text } from 'drizzle-orm/pg-core';

// Columns for the keys of names (`shared/text/name-keys.ts`), which Postgres computes when a row is written, by the functions of
// the first migration. Queries compare these columns, never the names themselves. The parameters are columns, or SQL expressions.

/** The key by which names are compared and must be unique; of several names, one line each. */
export const nameKeyOf = (...names: readonly string[]) => keyColumn('name_key', 'name_key', names);

/** The same in a column of another name, for a name that is not the row's own. */
export const otherNameKeyOf = (column: string, name: string) => keyColumn(column, 'name_key', [name]);

/** The key by which a name is searched, where the beginning is searched or there are few rows. */
export const searchKeyOf = (name: string) => keyColumn('search_key', 'search_key', [name]);

/** The texts of a row that are searched, one line each, so that a match never spans two of them. */
export const searchTextOf = (...texts: readonly string[]) => keyColumn('search_text', 'search_key', texts);

/** The key by which lists are ordered, with `collate "C"`. */
export const sortKeyOf = (name: string) => keyColumn('sort_key', 'sort_key', [name]);

/** The search key of a text without a column of its own, as SQL. */
export const searchKeySql = (of: SQL): SQL => sql`search_key(${of})`;

/** A person's full name as SQL, or the e-mail address where there is no name. */
export const PERSON_NAME = `coalesce(nullif(trim("first_name" || ' ' || "last_name"), ''), "email")`;

function keyColumn<Name extends string>(
  name: Name,
  key: 'name_key' | 'search_key' | 'sort_key',
  texts: readonly string[],
) {
  const keys = texts.map((of) => `${key}(${/^\w+$/.test(of) ? `"${of}"` : of})`);
  return text(name)
    .notNull()
    .generatedAlwaysAs(sql.raw(keys.join(` || E'\\n' || `)));
}
