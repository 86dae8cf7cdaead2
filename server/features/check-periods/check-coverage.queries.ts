import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { idList } from '#db/is-any-of.ts';
import type { Period } from '#shared/check-periods.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';

// How far a kind of check is done at a site. Only SQL decides what completes a period (`check_coverage` in
// `db/functions/check-coverage.sql`, ruling T23).

/** How far a kind is done at a site in a period. */
export type PeriodCoverage = {
  /** Subjects that were tested on as many days as the schedule asks for. */
  done: number;
  /** The number of subjects in use; null for a kind about named places. */
  of: number | null;
  /** The most days on which one subject was tested. */
  days: number;
};

/** Reads how far a kind is done at a building in a period. */
export async function readCoverage(
  db: Queryable,
  { buildingId, kind }: { buildingId: string; kind: CheckKind },
  period: Period,
): Promise<PeriodCoverage> {
  const [row] = await db.execute<PeriodCoverage>(sql`
    select c.done, c.subjects as of, c.days from ${coverageIn(sql`${buildingId}::uuid`, kind, period)} c`);
  if (row === undefined) throw new Error('a function answered nothing');
  return row;
}

/** SQL for the one row of `check_coverage`. */
export function coverageIn(
  buildingId: SQL,
  kind: CheckKind,
  { start, end }: Pick<Period, 'start' | 'end'>,
): SQL {
  return sql`check_coverage(${buildingId}, ${kind}, ${start}::date, ${end}::date)`;
}

/** Reads the days of a period on which each subject of a kind was tested at these buildings, earliest first. */
export async function readTestedDays(
  db: Queryable,
  { buildingIds, kind }: { buildingIds: readonly string[]; kind: CheckKind },
  { start, end }: Period,
): Promise<(buildingId: string, subjectKey: string) => string[]> {
  const rows = await db.execute<{ building_id: string; subject_key: string; tested_on: string[] }>(sql`
    select b.id as building_id, t.subject_key, array_to_json(t.tested_on) as tested_on
    from unnest(string_to_array(${idList(buildingIds)}, ',')::uuid[]) b(id)
    cross join lateral check_tested(b.id, ${kind}, ${start}::date, ${end}::date) t`);
  const found = new Map(rows.map((row) => [`${row.building_id} ${row.subject_key}`, row.tested_on]));
  return (buildingId, subjectKey) => found.get(`${buildingId} ${subjectKey}`) ?? [];
}
