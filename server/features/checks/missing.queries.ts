import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans, checkSchedules, checkYears } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { periodOf } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import {
  CELL_STATUSES,
  MISSING_BUILDINGS_LISTED,
  type MissingSites,
} from '#shared/features/checks/procedure-answers.ts';
import type { MissingSitesInput } from '#shared/features/checks/queries.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { appliesAt } from './kind-applies.ts';

/**
 * Lists buildings of a person that have neither a record of a kind nor a reason in a period in which it is due, or,
 * where it is due on two days, have a record on one only. The first ones by name.
 */
export async function missingSites(
  db: Queryable,
  actor: Actor,
  { kind, day }: MissingSitesInput,
): Promise<MissingSites> {
  const { year, index, start, end } = periodOf(CHECK_VOCABULARY[kind].cadence, day);
  const status = sql`substr(${checkYears.cells}, ${index + 1}::int, 1)`;
  const nothing = sql`coalesce(${status}, '') in ('', ${CELL_STATUSES.none}, ${CELL_STATUSES.not_tested})`;
  // The plan in force on the last day of the period, as `isDueIn` uses it for one building.
  const plan = sql`(select p.is_due, p.times from ${checkPlans} p
    where p.building_id = ${buildings.id} and p.kind = ${kind} and p.starts_on <= ${end}
    order by p.starts_on desc limit 1) plan`;
  const doneOnce = sql`coalesce(${checkSchedules.doneBeforeOn} < ${start}, true)`;
  const rows = await db
    .select({
      buildingId: buildings.id,
      name: buildings.name,
      // Counted before the limit.
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(buildings)
    .leftJoin(
      checkYears,
      and(eq(checkYears.kind, kind), eq(checkYears.year, year), eq(checkYears.buildingId, buildings.id)),
    )
    .leftJoin(checkSchedules, and(eq(checkSchedules.kind, kind), eq(checkSchedules.buildingId, buildings.id)))
    .leftJoinLateral(plan, sql`true`)
    .where(
      and(
        visibleTo(actor, buildings.id),
        appliesAt(kind, buildings.id),
        sql`coalesce(plan.is_due, true)`,
        or(nothing, and(sql`plan.times > 1`, doneOnce)),
      ),
    )
    .orderBy(sql`lower(${buildings.name}) collate "C"`, asc(buildings.id))
    .limit(MISSING_BUILDINGS_LISTED);
  return {
    total: rows[0]?.total ?? 0,
    sites: rows.map(({ buildingId, name }) => ({ buildingId, name })),
  };
}
