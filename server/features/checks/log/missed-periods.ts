import { asc, eq, type SQL } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { missedPeriods } from '#db/schema/checks/schedules.ts';
import { profiles } from '#db/schema/people.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { MissedPeriod } from '#shared/features/checks/rows.ts';
import { nameNow } from '../../../kernel/person-names.ts';

/** Reads the reasons for missed periods, in the order of the periods. */
export async function selectMissedPeriods(db: Queryable, where: SQL | undefined): Promise<MissedPeriod[]> {
  const rows = await db
    .select({
      id: missedPeriods.id,
      buildingId: missedPeriods.buildingId,
      kind: missedPeriods.kind,
      start: missedPeriods.start,
      reason: missedPeriods.reason,
      explainedBy: missedPeriods.explainedBy,
      explainedByName: missedPeriods.explainedByName,
      explainedByNow: nameNow(profiles, missedPeriods.explainedByName),
      explainedAt: missedPeriods.explainedAt,
      version: missedPeriods.version,
    })
    .from(missedPeriods)
    .innerJoin(profiles, eq(profiles.id, missedPeriods.explainedBy))
    .where(where)
    .orderBy(asc(missedPeriods.start), asc(missedPeriods.id));
  return rows.map((row) => ({ ...row, cadence: CHECK_VOCABULARY[row.kind].cadence }));
}

/** Reads a reason that must exist, for the event of the command that has just written it. */
export async function loadWrittenMissedPeriod(db: Queryable, id: string): Promise<MissedPeriod> {
  const [row] = await selectMissedPeriods(db, eq(missedPeriods.id, id));
  if (row === undefined) throw new Error(`reason ${id} is gone in the transaction that wrote it`);
  return row;
}
