import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans, checkYears } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { periodOf } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import {
  CELL_STATUSES,
  MISSING_BUILDINGS_LISTED,
  type MissingSites,
} from '#shared/features/checks/procedure-answers.ts';
import type { MissingSitesInput } from '#shared/features/checks/queries.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { coverageIn } from '../../check-periods/check-coverage.queries.ts';
import { appliesAt } from '../kind-applies.ts';

/**
 * Lists buildings of a person where a kind is due in a period that is neither complete nor has a reason. Returns only the first
 * buildings by name.
 */
export async function missingSites(
  db: Queryable,
  actor: Actor,
  { kind, day }: MissingSitesInput,
): Promise<MissingSites> {
  const period = periodOf(CHECK_VOCABULARY[kind].cadence, day);
  const { year, index, end } = period;
  const status = sql`substr(${checkYears.cells}, ${index + 1}::int, 1)`;
  const {
    none,
    not_tested: notTested,
    partly_passed: partlyPassed,
    partly_failed: partlyFailed,
  } = CELL_STATUSES;
  const isIncomplete = sql`coalesce(${status}, '') in ('', ${none}, ${notTested}, ${partlyPassed}, ${partlyFailed})`;
  // The plan in force on the last day of the period, as `isDueIn` uses it for one building.
  const plan = sql`(select p.is_due from ${checkPlans} p
    where p.building_id = ${buildings.id} and p.kind = ${kind} and p.starts_on <= ${end}
    order by p.starts_on desc limit 1) plan`;
  const rows = await db
    .select({
      buildingId: buildings.id,
      name: buildings.name,
      done: sql<number | null>`covered.done`,
      of: sql<number | null>`covered.subjects`,
      // Counted before the limit.
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(buildings)
    .leftJoin(
      checkYears,
      and(eq(checkYears.kind, kind), eq(checkYears.year, year), eq(checkYears.buildingId, buildings.id)),
    )
    .leftJoinLateral(plan, sql`true`)
    .leftJoinLateral(
      sql`${coverageIn(sql`${buildings.id}`, kind, period)} covered`,
      sql`${status} in (${partlyPassed}, ${partlyFailed})`,
    )
    .where(
      and(
        visibleTo(actor, buildings.id),
        appliesAt(kind, buildings.id),
        sql`coalesce(plan.is_due, true)`,
        isIncomplete,
      ),
    )
    .orderBy(sql`${buildings.sortKey} collate "C"`, asc(buildings.id))
    .limit(MISSING_BUILDINGS_LISTED);
  return {
    total: rows[0]?.total ?? 0,
    sites: rows.map(({ total: _total, ...site }) => site),
  };
}
