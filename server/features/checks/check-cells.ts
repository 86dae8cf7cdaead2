import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkSchedules, checkYears, missedPeriods } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { PERIODS_MAX, type Period, periodOf } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { CELL_STATUSES, type CellStatus } from '#shared/features/checks/procedure-answers.ts';

/** A kind of check at a building. */
export type BuildingCheck = { buildingId: string; kind: CheckKind };

/** Returns the period that contains a day, by the cadence of the kind. */
export function periodOfDay(kind: CheckKind, day: string): Period {
  return periodOf(CHECK_VOCABULARY[kind].cadence, day);
}

/**
 * Computes the status of a period (ruling L4): failed if the latest result of any subject is a failure, else passed if
 * any subject passed. Superseded entries do not count.
 */
async function cellStatusOf(
  tx: Transaction,
  { buildingId, kind }: BuildingCheck,
  period: Period,
): Promise<CellStatus> {
  const [row] = await tx.execute<{
    failed: boolean | null;
    told: number;
    visits: number;
    explained: boolean;
  }>(sql`
    with visits as (
      select v.id, v.visit_date, v.performed_at, v.log_number from ${operativeVisits} v
      where v.location_id = ${buildingId} and v.visit_type = ${kind}
        and v.visit_date between ${period.start} and ${period.end}
    ), latest as (
      select distinct on (e.subject_key) e.result
      from visits v join ${checkEntries} e on e.visit_id = v.id
      where e.superseded_by is null and e.result <> 'not_tested'
      order by e.subject_key, v.visit_date desc, v.performed_at desc, v.log_number desc, e.position desc, e.amended_at desc nulls last
    )
    select (select bool_or(result = 'fail') from latest) as failed, (select count(*)::int from latest) as told,
      (select count(*)::int from visits) as visits,
      exists (select 1 from ${missedPeriods} m where m.building_id = ${buildingId} and m.kind = ${kind}
        and m.period_start = ${period.start}) as explained`);
  if (row === undefined) throw new Error('an aggregate answered nothing');
  if (row.failed === true) return CELL_STATUSES.fail;
  if (row.told > 0) return CELL_STATUSES.pass;
  if (row.explained) return CELL_STATUSES.explained;
  return row.visits > 0 ? CELL_STATUSES.not_tested : CELL_STATUSES.none;
}

/** Recomputes and stores a building's cell status for the period of a day. */
export async function recomputeCellStatus(
  tx: Transaction,
  site: BuildingCheck,
  day: string,
): Promise<CellStatus> {
  const period = periodOfDay(site.kind, day);
  const status = await cellStatusOf(tx, site, period);
  const empty = CELL_STATUSES.none.repeat(PERIODS_MAX[CHECK_VOCABULARY[site.kind].cadence]);
  const place = period.index + 1;
  await tx
    .insert(checkYears)
    .values({ ...site, year: period.year, cells: sql`overlay(${empty} placing ${status} from ${place})` })
    .onConflictDoUpdate({
      target: [checkYears.kind, checkYears.year, checkYears.buildingId],
      set: { cells: sql`overlay(${checkYears.cells} placing ${status} from ${place})` },
    });
  return status;
}

/** Records that a building was checked on a day. */
export async function addCompletedDay(tx: Transaction, site: BuildingCheck, day: string): Promise<void> {
  await tx
    .insert(checkSchedules)
    .values({ ...site, firstDoneOn: day, lastDoneOn: day })
    .onConflictDoUpdate({
      target: [checkSchedules.buildingId, checkSchedules.kind],
      set: {
        // The day may be later than the last one, earlier, or known already.
        doneBeforeOn: sql`case
          when excluded.last_done_on > ${checkSchedules.lastDoneOn} then ${checkSchedules.lastDoneOn}
          when excluded.last_done_on = ${checkSchedules.lastDoneOn} then ${checkSchedules.doneBeforeOn}
          else greatest(${checkSchedules.doneBeforeOn}, excluded.last_done_on) end`,
        firstDoneOn: sql`least(${checkSchedules.firstDoneOn}, excluded.first_done_on)`,
        lastDoneOn: sql`greatest(${checkSchedules.lastDoneOn}, excluded.last_done_on)`,
      },
    });
}
