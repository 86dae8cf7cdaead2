import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { userLocationAccess, userRoles } from '#db/schema/people.ts';

/**
 * Returns the people whose failed checks raised an issue or joined it, while they may see its building. They may read
 * its status and last reply (ruling A16).
 */
export async function visitRecordersOf(db: Queryable, issueId: string): Promise<string[]> {
  const mayStillSee = sql`(exists (
      select 1 from ${userLocationAccess} g
      where g.user_id = ${operativeVisits.recordedBy} and g.location_id = ${operativeVisits.buildingId}
    ) or 'admin' = (
      select r.role from ${userRoles} r where r.user_id = ${operativeVisits.recordedBy}
      order by r.assigned_at desc, r.id desc limit 1))`;
  const rows = await db
    .selectDistinct({ id: operativeVisits.recordedBy })
    .from(checkEntries)
    .innerJoin(operativeVisits, eq(operativeVisits.id, checkEntries.visitId))
    .where(and(eq(checkEntries.issueId, issueId), mayStillSee));
  return rows.map(({ id }) => id);
}
