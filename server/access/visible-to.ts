import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { userLocationAccess } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { Actor } from './actor.ts';

/** The person for whom rows are read; in a statement that is built once, a placeholder stands for the id. */
export type Viewer = Pick<Actor, 'role'> & { userId: string | Placeholder };

/**
 * SQL condition "this person may see that building", for every query that returns rows of a building.
 * Administrators see all buildings, others those assigned to them; archived buildings are hidden from all. Because it
 * is part of the query, a row that is hidden and a row that does not exist give the same answer.
 * @param buildingId the column that holds the building's id
 */
export function visibleTo(actor: Viewer, buildingId: AnyPgColumn): SQL {
  // Postgres evaluates both subqueries once per statement, so the scan keeps the order of the index.
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
