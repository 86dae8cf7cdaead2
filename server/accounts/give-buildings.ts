import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { idList } from '#db/is-any-of.ts';
import { userLocationAccess } from '#db/schema/people.ts';

/**
 * Gives a person access to locked buildings. All ids are one parameter of the statement, however many there are.
 * @returns the ids of the buildings that the person did not have before
 */
export async function giveBuildings(
  tx: Transaction,
  given: { userId: string; buildingIds: readonly string[]; at: string; by: string | null },
): Promise<string[]> {
  const { userId, buildingIds, at, by } = given;
  const rows = await tx.execute<{ id: string }>(sql`
    insert into ${userLocationAccess} (user_id, location_id, granted_at, granted_by)
    select ${userId}::uuid, id, ${at}::timestamptz, ${by}::uuid
    from unnest(string_to_array(${idList(buildingIds)}, ',')::uuid[]) id
    on conflict do nothing returning location_id as id`);
  return rows.map(({ id }) => id);
}
