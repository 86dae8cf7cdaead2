import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkSchedules, checkYears, missedPeriods } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { PERIODS_MAX, type Period, periodOf } from '#shared/check-periods.ts';
import { GRID_LETTERS, type GridLetter } from '#shared/features/checks/answers.ts';
import { CHECK_WORDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';

/** A kind of check at a site. */
export type SiteCheck = { buildingId: string; kind: CheckKind };

/** The period of a day, as this kind counts. */
export function periodOfDay(kind: CheckKind, day: string): Period {
  return periodOf(CHECK_WORDS[kind].cadence, day);
}

/**
 * What a period came to (ruling L4): failed where something has failed and not passed since, else passed where
 * anything has. Corrected lines do not count.
 */
async function letterOf(
  tx: Transaction,
  { buildingId, kind }: SiteCheck,
  period: Period,
): Promise<GridLetter> {
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
  if (row.failed === true) return GRID_LETTERS.fail;
  if (row.told > 0) return GRID_LETTERS.pass;
  if (row.explained) return GRID_LETTERS.explained;
  return row.visits > 0 ? GRID_LETTERS.not_tested : GRID_LETTERS.none;
}

/** Works out a site's letter of a period anew, from the records that there are now. */
export async function refreshCell(tx: Transaction, site: SiteCheck, day: string): Promise<GridLetter> {
  const period = periodOfDay(site.kind, day);
  const letter = await letterOf(tx, site, period);
  const empty = GRID_LETTERS.none.repeat(PERIODS_MAX[CHECK_WORDS[site.kind].cadence]);
  const place = period.index + 1;
  await tx
    .insert(checkYears)
    .values({ ...site, year: period.year, cells: sql`overlay(${empty} placing ${letter} from ${place})` })
    .onConflictDoUpdate({
      target: [checkYears.kind, checkYears.year, checkYears.buildingId],
      set: { cells: sql`overlay(${checkYears.cells} placing ${letter} from ${place})` },
    });
  return letter;
}

/** A site was checked on that day. */
export async function noteDone(tx: Transaction, site: SiteCheck, day: string): Promise<void> {
  await tx
    .insert(checkSchedules)
    .values({ ...site, firstDoneOn: day, lastDoneOn: day })
    .onConflictDoUpdate({
      target: [checkSchedules.buildingId, checkSchedules.kind],
      set: {
        // The day goes before the last one, behind it, or is one that is known.
        doneBeforeOn: sql`case
          when excluded.last_done_on > ${checkSchedules.lastDoneOn} then ${checkSchedules.lastDoneOn}
          when excluded.last_done_on = ${checkSchedules.lastDoneOn} then ${checkSchedules.doneBeforeOn}
          else greatest(${checkSchedules.doneBeforeOn}, excluded.last_done_on) end`,
        firstDoneOn: sql`least(${checkSchedules.firstDoneOn}, excluded.first_done_on)`,
        lastDoneOn: sql`greatest(${checkSchedules.lastDoneOn}, excluded.last_done_on)`,
      },
    });
}
