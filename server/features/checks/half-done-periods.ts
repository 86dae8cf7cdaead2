import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { periodOf, periodsOfYear } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { type ScheduleStep, timesIn } from '#shared/features/checks/schedule.vocabulary.ts';

type Planned = { buildingId: string; steps: readonly ScheduleStep[] };

/**
 * For buildings where a kind is due on two days per period: the indices of the periods of a year with a record on one
 * day only. As on the cards, a day counts if it has a record.
 */
export async function periodsDoneOnce(
  db: Queryable,
  { kind, year }: { kind: CheckKind; year: number },
  sites: readonly Planned[],
): Promise<(buildingId: string) => number[]> {
  const { cadence } = CHECK_VOCABULARY[kind];
  const twice = sites.filter(({ steps }) => steps.some(({ times }) => times > 1));
  const since = twice
    .flatMap(({ steps }) =>
      steps.filter(({ times }) => times > 1).map(({ from }) => periodOf(cadence, from).start),
    )
    .sort()[0];
  const periods = periodsOfYear(cadence, year).filter(({ start }) => since !== undefined && start >= since);
  const first = periods[0];
  const last = periods.at(-1);
  if (first === undefined || last === undefined) return () => [];
  const steps = new Map(twice.map((site) => [site.buildingId, site.steps]));
  const starts = periods.map(({ start }) => start).join();
  const rows = await db.execute<{ building_id: string; place: number }>(sql`
    select ${operativeVisits.buildingId} as building_id,
      width_bucket(${operativeVisits.visitDate}, string_to_array(${starts}, ',')::date[]) - 1 as place
    from ${operativeVisits}
    where ${isAnyOf(operativeVisits.buildingId, [...steps.keys()])} and ${operativeVisits.kind} = ${kind}
      and ${operativeVisits.visitDate} between ${first.start} and ${last.end}
    group by 1, 2 having count(distinct ${operativeVisits.visitDate}) = 1 order by 1, 2`);
  const found = new Map<string, number[]>();
  for (const { building_id: id, place } of rows) {
    const period = periods[place];
    if (period === undefined || timesIn(steps.get(id) ?? [], period) === 1) continue;
    found.set(id, [...(found.get(id) ?? []), period.index]);
  }
  return (buildingId) => found.get(buildingId) ?? [];
}
