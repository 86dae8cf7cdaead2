import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { actorLabel, fullName, VIA } from '#shared/text/names.ts';
import type { Actor } from '../access/actor.ts';

type Person = { firstName: AnyPgColumn; lastName: AnyPgColumn };

/** SQL for a person's full name; null if an outer join found no person. */
export function nameOf(person: Person): SQL<string | null> {
  return sql<string | null>`trim(${person.firstName} || ' ' || ${person.lastName})`;
}

/** The name of its maker that a record stores. */
export function recordedName(actor: Actor): string {
  return actorLabel(fullName(actor), actor.apiKey?.name);
}

/**
 * SQL for a person's present name if it differs from the name in a record (`recordedName`), else null. The recorded name itself
 * never changes.
 */
export function nameNow(person: Person, recorded: AnyPgColumn): SQL<string | null> {
  const name = nameOf(person);
  return sql<
    string | null
  >`case when ${recorded} = ${name} or starts_with(${recorded}, ${name} || ${VIA}::text) then null
    else ${name} end`;
}
