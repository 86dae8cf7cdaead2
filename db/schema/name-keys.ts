import { type SQL, sql } from 'drizzle-orm';
import { text } from 'drizzle-orm/pg-core';

// The keys of names (`shared/name-keys.ts`) as functions of the database, which migration 0019 made, and as columns that hold
// what they compute when a row is written. A query compares these columns and never a name itself. A name is given by its
// column, or as SQL.

/** What must be unique, and what is compared; of several names together, a line for each. */
export const nameKeyOf = (...names: readonly string[]) => keyColumn('name_key', 'name_key', names);

/** The same of a name that is not the row's own. */
export const otherNameKeyOf = (column: string, name: string) => keyColumn(column, 'name_key', [name]);

/** What is searched of a name, at its beginning or where there are few rows. */
export const searchKeyOf = (name: string) => keyColumn('search_key', 'search_key', [name]);

/** What is searched in a row, a line for each text: no search reaches from one to the next. */
export const searchTextOf = (...texts: readonly string[]) => keyColumn('search_text', 'search_key', texts);

/** What a list is ordered by, `collate "C"`. */
export const sortKeyOf = (name: string) => keyColumn('sort_key', 'sort_key', [name]);

/** SQL of what is searched of a text that has no column of its own. */
export const searchKeySql = (of: SQL): SQL => sql`search_key(${of})`;

/** SQL of a person's name; of the address where there is none. */
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
