import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

type Person = { firstName: AnyPgColumn; lastName: AnyPgColumn };

/** A person's present name as others read it; null where an outer join found nobody. */
export function nameOf(person: Person): SQL<string | null> {
  return sql<string | null>`trim(${person.firstName} || ' ' || ${person.lastName})`;
}

/**
 * What somebody is called now, where that is another name than the one that a record was signed with; null where it is
 * the same. The signature itself never changes.
 */
export function nameNow(person: Person, signed: AnyPgColumn): SQL<string | null> {
  return sql<string | null>`nullif(${nameOf(person)}, ${signed})`;
}
