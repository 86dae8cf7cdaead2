import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { apiKeyBuildings } from '#db/schema/api-keys.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { assertNever } from '#shared/assert-never.ts';
import type { Actor } from './actor.ts';

/** The actor for whom rows are read. In a statement that is built once, a placeholder replaces the id. */
export type Viewer = Pick<Actor, 'sight'> & { viewerId: string | Placeholder };

/**
 * SQL condition "this actor may see that building", for every query that returns rows of a building. Administrators see all
 * buildings, others those assigned to them; archived buildings are hidden from all. Because the condition is part of the
 * query, a hidden row and a row that does not exist give the same answer.
 * @param buildingId the column with the building's id
 */
export function visibleTo(actor: Viewer, buildingId: AnyPgColumn): SQL {
  // Postgres evaluates both subqueries once per statement, so the scan keeps the order of the index.
  const archived = sql`${buildingId} <> all(array(select a.id from ${buildings} a where a.archived_at is not null))`;
  switch (actor.sight) {
    case 'none':
      return sql`false`;
    case 'all':
      return archived;
    case 'given_to_person':
      return sql`(exists (
        select 1 from ${userLocationAccess} g where g.user_id = ${actor.viewerId} and g.location_id = ${buildingId}
      ) and ${archived})`;
    case 'given_to_key':
      return sql`(exists (
        select 1 from ${apiKeyBuildings} k where k.key_id = ${actor.viewerId} and k.building_id = ${buildingId}
      ) and ${archived})`;
    default:
      return assertNever(actor.sight);
  }
}
