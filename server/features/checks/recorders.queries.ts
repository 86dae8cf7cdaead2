import { eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';

/** Whose failed checks raised an issue, or joined it: they read of it the status and the last reply (ruling A16). */
export async function recordersOf(db: Queryable, issueId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: operativeVisits.recordedBy })
    .from(checkEntries)
    .innerJoin(operativeVisits, eq(operativeVisits.id, checkEntries.visitId))
    .where(eq(checkEntries.issueId, issueId));
  return rows.map(({ id }) => id);
}
