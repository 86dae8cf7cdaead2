import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { userLocationAccess } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { Actor } from './actor.ts';

/**
 * The condition "this person may see that building", for every query that returns something of a building.
 * Administrators see all, others those they were given; an archived building is nobody's. Because it is a condition,
 * what is not theirs and what does not exist answer alike.
 * @param buildingId the column that holds the building's id
 */
export function visibleTo(actor: Pick<Actor, 'userId' | 'role'>, buildingId: AnyPgColumn): SQL {
  // Both lists are read once for a statement, so the order of an index is kept.
  const archived = sql`${buildingId} <> all(array(select a.id from ${buildings} a where a.archived_at is not null))`;
  switch (actor.role) {
    case undefined:
      return sql`false`;
    case 'admin':
      return archived;
    default:
      return sql`(exists (
        select 1 from ${userLocationAccess} g where g.user_id = ${actor.userId} and g.location_id = ${buildingId}
      ) and ${archived})`;
  }
}
