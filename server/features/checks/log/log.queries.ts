import { and, asc, between, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { checkPlans, checkSchedules, checkYears, missedPeriods } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildings } from '#db/schema/places.ts';
import { PERIODS_MAX, periodsOfYear } from '#shared/check-periods.ts';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { incidentsOf, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import {
  CELL_STATUSES,
  type LogPage,
  type LogYear,
  type YearGridData,
} from '#shared/features/checks/procedure-answers.ts';
import type {
  LogFilter,
  LogRecordsInput,
  LogYearInput,
  YearGridInput,
} from '#shared/features/checks/queries.ts';
import { isDueIn } from '#shared/features/checks/schedule.vocabulary.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { cutPage } from '../../../kernel/lists/page.ts';
import { readToday, TIME_ZONE } from '../../../kernel/settings.ts';
import { assertEnabled, type EnabledChecks } from '../enabled-checks.ts';
import { appliesAt } from '../kind-applies.ts';
import { operativesWith } from '../operatives.queries.ts';
import { plansOf, readPlans } from '../schedule/schedule-steps.queries.ts';
import { subjectsAt } from '../subjects.ts';
import { oldestFirst, selectVisits, withEntries } from '../visit-row.ts';
import { selectMissedPeriods } from './missed-periods.ts';
import { startsOn, withSchedule } from './site-years.ts';

// Each of these queries refuses a disabled log.

type Today = { enabled: EnabledChecks; now: Date };

/** First and last day of a year's log; weeks run from Friday to Thursday. */
function daysOfYear(kind: CheckKind, year: number): { from: string; to: string } {
  const periods = periodsOfYear(CHECK_VOCABULARY[kind].cadence, year);
  return { from: periods[0]?.start ?? '', to: periods.at(-1)?.end ?? '' };
}

/**
 * Reads everything that the view of one building's year shows.
 * @throws AppError `not_found` if the building does not exist or this person may not see it, `forbidden` for a disabled
 *   log
 */
export async function logYear(
  db: Queryable,
  actor: Actor,
  { kind, year, buildingId }: LogYearInput,
  { enabled, now }: Today,
): Promise<LogYear> {
  assertEnabled(enabled, kind);
  const [site] = await db
    .select({
      id: buildings.id,
      name: buildings.name,
      healthcare: buildings.isHealthcare,
      startsOn,
      timeZone: TIME_ZONE,
    })
    .from(buildings)
    .leftJoin(checkSchedules, withSchedule(kind))
    .where(and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)));
  if (site === undefined) throw new AppError('not_found');
  const { from, to } = daysOfYear(kind, year);
  const visitsOf = (kinds: LogKind[]) =>
    selectVisits(db)
      .where(
        and(
          eq(operativeVisits.buildingId, site.id),
          inArray(operativeVisits.kind, kinds),
          between(operativeVisits.visitDate, from, to),
        ),
      )
      .orderBy(...oldestFirst)
      .then((rows) => withEntries(db, rows));
  const others = incidentsOf(kind);
  const [visits, incidents, missed, subjects, steps] = await Promise.all([
    visitsOf([kind]),
    others.length === 0 ? [] : visitsOf(others),
    selectMissedPeriods(
      db,
      and(
        eq(missedPeriods.buildingId, site.id),
        eq(missedPeriods.kind, kind),
        between(missedPeriods.start, from, to),
      ),
    ),
    subjectsAt(db, site.id, kind),
    plansOf(db, site.id, kind),
  ]);
  return {
    buildingId: site.id,
    buildingName: site.name,
    kind,
    year,
    today: dayOf(now, site.timeZone),
    startsOn: site.startsOn,
    healthcare: site.healthcare,
    steps,
    visits,
    incidents,
    missed,
    subjects: subjects.map(({ subjectKey, assetId, name, location }) => ({
      subjectKey,
      assetId,
      name,
      place: location,
    })),
  };
}

/** SQL condition of a filter except for its operative. */
function whereFilter(filter: LogFilter, of: LogKind): SQL | undefined {
  const { kind, year, month, buildingId, assetId, result } = filter;
  const days =
    year === undefined ? undefined : month === undefined ? daysOfYear(kind, year) : daysOfMonth(year, month);
  return and(
    eq(operativeVisits.kind, of),
    days === undefined ? undefined : gte(operativeVisits.visitDate, days.from),
    days === undefined ? undefined : lte(operativeVisits.visitDate, days.to),
    buildingId === undefined ? undefined : eq(operativeVisits.buildingId, buildingId),
    result === undefined ? undefined : hasLine(kind, result, days),
    assetId === undefined
      ? undefined
      : sql`(${operativeVisits.buildingId} = (select a.building_id from ${assets} a where a.id = ${assetId})
          and exists (select 1 from ${checkEntries} e
            where e.visit_id = ${operativeVisits.id} and e.asset_id = ${assetId}))`,
  );
}

/**
 * SQL condition "an entry of the visit has this result", regardless of the results of other entries and of corrections. Rare
 * results are found by their small partial index; nearly every visit has a pass, so the visits are scanned.
 */
function hasLine(kind: CheckKind, result: LogResult, days: { from: string; to: string } | undefined): SQL {
  if (result === 'pass') {
    // A scalar subquery, because the planner may turn `exists` into a scan of all passes.
    return sql`(${operativeVisits.result} = 'pass' or (
      select true from ${checkEntries} e where e.visit_id = ${operativeVisits.id} and e.result = 'pass' limit 1))`;
  }
  const within = days === undefined ? sql`` : sql`and e.visit_date between ${days.from} and ${days.to}`;
  return sql`${operativeVisits.id} in (
    select e.visit_id from ${checkEntries} e
    where e.kind = ${kind} and e.result = ${result} and e.result <> 'pass' ${within})`;
}

function daysOfMonth(year: number, month: number): { from: string; to: string } {
  const { start, end } = periodsOfYear('monthly', year)[month - 1] ?? { start: '', end: '' };
  return { from: start, to: end };
}

/**
 * Returns a page of visits with their entries, newest first, with the incidents of the log. With a filter by result
 * incidents are left out, because they have none.
 */
export async function logRecords(
  db: Queryable,
  actor: Actor,
  { filter, cursor, limit }: LogRecordsInput,
  enabled: EnabledChecks,
): Promise<LogPage> {
  assertEnabled(enabled, filter.kind);
  const after =
    cursor === undefined
      ? undefined
      : sql`(${operativeVisits.visitDate}, ${operativeVisits.id}) < (${cursor.visitDate}::date, ${cursor.id}::uuid)`;
  const { operative = '', entryKind } = filter;
  const kinds = [filter.kind, ...(filter.result === undefined ? incidentsOf(filter.kind) : [])].filter(
    (kind) => entryKind === undefined || kind === entryKind,
  );
  // One query per kind, each by its own index; one query for all kinds would sort all visits.
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const names = operative === '' ? undefined : await operativesWith(db, kind, operative);
      if (names?.length === 0) return [];
      const by = names && inArray(operativeVisits.operativeName, names);
      return selectVisits(db)
        .where(and(visibleTo(actor, operativeVisits.buildingId), whereFilter(filter, kind), by, after))
        .orderBy(desc(operativeVisits.visitDate), desc(operativeVisits.id))
        .limit(limit + 1);
    }),
  );
  const { rows, nextCursor } = cutPage(found.flat().sort(newestFirst), limit, ({ visitDate, id }) => ({
    visitDate,
    id,
  }));
  return { visits: await withEntries(db, rows), nextCursor };
}

type Placed = { visitDate: string; id: string };

// Compares ids as the database does: lower case, character by character.
function newestFirst(a: Placed, b: Placed): number {
  return `${a.visitDate} ${a.id}` < `${b.visitDate} ${b.id}` ? 1 : -1;
}

/** The year of one kind over all buildings of a person, by name. */
export async function yearGrid(
  db: Queryable,
  actor: Actor,
  { kind, year }: YearGridInput,
  { enabled, now }: Today,
): Promise<YearGridData> {
  assertEnabled(enabled, kind);
  const { cadence } = CHECK_VOCABULARY[kind];
  const empty = CELL_STATUSES.none.repeat(PERIODS_MAX[cadence]);
  const periods = periodsOfYear(cadence, year);
  const rows = await db
    .select({
      buildingId: buildings.id,
      name: buildings.name,
      startsOn,
      cells: sql<string>`coalesce(${checkYears.cells}, ${empty})`,
    })
    .from(buildings)
    .leftJoin(checkSchedules, withSchedule(kind))
    .leftJoin(
      checkYears,
      and(eq(checkYears.kind, kind), eq(checkYears.year, year), eq(checkYears.buildingId, buildings.id)),
    )
    .where(and(visibleTo(actor, buildings.id), appliesAt(kind, buildings.id)))
    .orderBy(sql`${buildings.sortKey} collate "C"`, asc(buildings.id));
  const [plans, { today }] = await Promise.all([
    readPlans(db, and(eq(checkPlans.kind, kind), visibleTo(actor, checkPlans.buildingId))),
    readToday(db, now),
  ]);
  const sites = rows
    .map(({ cells, ...row }) => ({
      ...row,
      cells: cells.slice(0, periods.length),
      steps: plans(row.buildingId, kind),
    }))
    // Leaves out buildings where the kind was neither due nor done in the year.
    .filter(
      ({ cells, steps }) =>
        steps.length === 0 ||
        cells !== empty.slice(0, periods.length) ||
        periods.some((period) => isDueIn(steps, period)),
    );
  return { kind, year, today, sites };
}
