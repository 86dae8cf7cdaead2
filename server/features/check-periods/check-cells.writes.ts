import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkSchedules, checkYears, missedPeriods } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { type Given, sqlStatement, statement } from '#db/statement.ts';
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
 * The status of a period (ruling L4): failed if the latest result of any subject is a failure, else passed if any
 * subject passed; partly done while the period is not complete (ruling T23). Superseded entries do not count. Also stores
 * the day on which the kind was last complete.
 */
const storeCellStatus = sqlStatement(
  (
    given: Given<{
      buildingId: string;
      kind: string;
      year: number;
      place: number;
      start: string;
      end: string;
      empty: string;
    }>,
  ) => {
    const { explained, not_tested: notTested, none } = CELL_STATUSES;
    const { pass, fail, partly_passed: partlyPassed, partly_failed: partlyFailed } = CELL_STATUSES;
    const letter = (status: CellStatus) => sql.raw(`'${status}'`);
    const { buildingId, kind, start, end } = given;
    return sql<{ status: CellStatus }>`
      with visits as (
        select v.id, v.visit_date, v.performed_at, v.log_number from ${operativeVisits} v
        where v.location_id = ${buildingId} and v.visit_type = ${kind} and v.visit_date between ${start} and ${end}
      ), latest as (
        select distinct on (e.subject_key) e.result
        from visits v join ${checkEntries} e on e.visit_id = v.id
        where e.superseded_by is null and e.result <> 'not_tested'
        order by e.subject_key, v.visit_date desc, v.performed_at desc, v.log_number desc, e.position desc, e.amended_at desc nulls last
      ), covered as materialized (
        select c.* from check_coverage(${buildingId}::uuid, ${kind}, ${start}::date, ${end}::date) c
        where exists (select from latest)
      ), found as (
        select case
          when exists (select from latest where result = 'fail') then
            case when (select is_complete from covered) then ${letter(fail)} else ${letter(partlyFailed)} end
          when exists (select from latest) then
            case when (select is_complete from covered) then ${letter(pass)} else ${letter(partlyPassed)} end
          when exists (select from ${missedPeriods} m where m.building_id = ${buildingId}
            and m.kind = ${kind} and m.period_start = ${start}) then ${letter(explained)}
          when exists (select from visits) then ${letter(notTested)}
          else ${letter(none)} end as status
      ), completed as (
        -- A period that has become complete may be the newest such one; one that no longer is leaves the one before it.
        update ${checkSchedules} s set last_complete_on = case
            when c.is_complete then c.last
            else last_complete_before(s.building_id, s.kind, ${start}::date) end
        from (select coalesce((select is_complete from covered), false) as is_complete, (select last from covered) as last) c
        where s.building_id = ${buildingId} and s.kind = ${kind}
          and case when c.is_complete
            then coalesce(s.last_complete_on <= ${end}, true) and s.last_complete_on is distinct from c.last
            else s.last_complete_on between ${start} and ${end} end
      )
      insert into ${checkYears} (kind, year, building_id, cells)
      select ${given.kind}, ${given.year}::int, ${given.buildingId}::uuid,
        overlay(${given.empty}::text placing status from ${given.place}::int) from found
      on conflict (kind, year, building_id) do update
        set cells = overlay(${checkYears}.cells placing substr(excluded.cells, ${given.place}::int, 1) from ${given.place}::int)
      returning substr(cells, ${given.place}::int, 1) as status`;
  },
);

/** Recomputes and stores a building's cell status for the period of a day. */
export async function recomputeCellStatus(
  tx: Transaction,
  { buildingId, kind }: BuildingCheck,
  day: string,
): Promise<CellStatus> {
  const { index, year, start, end } = periodOfDay(kind, day);
  const empty = CELL_STATUSES.none.repeat(PERIODS_MAX[CHECK_VOCABULARY[kind].cadence]);
  const [row] = await storeCellStatus(tx, { buildingId, kind, year, place: index + 1, start, end, empty });
  if (row === undefined) throw new Error('an upsert answered nothing');
  return row.status;
}

const storeCompletedDay = statement(
  (db, given: Given<{ buildingId: string; kind: CheckKind; day: string }>) =>
    db
      .insert(checkSchedules)
      .values({
        buildingId: given.buildingId,
        kind: given.kind,
        firstDoneOn: given.day,
        lastDoneOn: given.day,
      })
      .onConflictDoUpdate({
        target: [checkSchedules.buildingId, checkSchedules.kind],
        set: {
          firstDoneOn: sql`least(${checkSchedules.firstDoneOn}, excluded.first_done_on)`,
          lastDoneOn: sql`greatest(${checkSchedules.lastDoneOn}, excluded.last_done_on)`,
        },
      }),
);

/** Records that a building was checked on a day. */
export async function addCompletedDay(tx: Transaction, site: BuildingCheck, day: string): Promise<void> {
  await storeCompletedDay(tx, { ...site, day });
}
