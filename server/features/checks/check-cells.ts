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
 * subject passed. Superseded entries do not count.
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
    const { fail, pass, explained, not_tested: notTested, none } = CELL_STATUSES;
    return sql<{ status: CellStatus }>`
      with visits as (
        select v.id, v.visit_date, v.performed_at, v.log_number from ${operativeVisits} v
        where v.location_id = ${given.buildingId} and v.visit_type = ${given.kind}
          and v.visit_date between ${given.start} and ${given.end}
      ), latest as (
        select distinct on (e.subject_key) e.result
        from visits v join ${checkEntries} e on e.visit_id = v.id
        where e.superseded_by is null and e.result <> 'not_tested'
        order by e.subject_key, v.visit_date desc, v.performed_at desc, v.log_number desc, e.position desc, e.amended_at desc nulls last
      ), found as (
        select case
          when exists (select from latest where result = 'fail') then ${sql.raw(`'${fail}'`)}
          when exists (select from latest) then ${sql.raw(`'${pass}'`)}
          when exists (select from ${missedPeriods} m where m.building_id = ${given.buildingId}
            and m.kind = ${given.kind} and m.period_start = ${given.start}) then ${sql.raw(`'${explained}'`)}
          when exists (select from visits) then ${sql.raw(`'${notTested}'`)}
          else ${sql.raw(`'${none}'`)} end as status
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
          // The day may be later than the last one, earlier, or known already.
          doneBeforeOn: sql`case
          when excluded.last_done_on > ${checkSchedules.lastDoneOn} then ${checkSchedules.lastDoneOn}
          when excluded.last_done_on = ${checkSchedules.lastDoneOn} then ${checkSchedules.doneBeforeOn}
          else greatest(${checkSchedules.doneBeforeOn}, excluded.last_done_on) end`,
          firstDoneOn: sql`least(${checkSchedules.firstDoneOn}, excluded.first_done_on)`,
          lastDoneOn: sql`greatest(${checkSchedules.lastDoneOn}, excluded.last_done_on)`,
        },
      }),
);

/** Records that a building was checked on a day. */
export async function addCompletedDay(tx: Transaction, site: BuildingCheck, day: string): Promise<void> {
  await storeCompletedDay(tx, { ...site, day });
}
