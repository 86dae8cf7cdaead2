import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

type Person = { firstName: AnyPgColumn; lastName: AnyPgColumn };

/** SQL for a person's full name; null if an outer join found no person. */
export function nameOf(person: Person): SQL<string | null> {
  return sql<string | null>`trim(${person.firstName} || ' ' || ${person.lastName})`;
}

/**
 * SQL for a person's present name if it differs from the name in a signed record, else null. The signed name itself
 * never changes.
 */
export function nameNow(person: Person, signed: AnyPgColumn): SQL<string | null> {
  return sql<string | null>`nullif(${nameOf(person)}, ${signed})`;
}
