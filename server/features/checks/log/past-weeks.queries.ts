import { eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans, checkSchedules, checkYears } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { PERIODS_MAX, type Period, periodOf, periodsOfYear, previousPeriod } from '#shared/check-periods.ts';
import { AppError } from '#shared/errors.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { CELL_STATUSES } from '#shared/features/checks/procedure-answers.ts';
import { isExpectedIn } from '#shared/features/checks/schedule.vocabulary.ts';
import { WALL_WEEKS, type WallWeek } from '#shared/features/displays/wall.ts';
import { type DisplayActor, readDisplayByHash, shownOn } from '../../../access/displays.ts';
import { readToday } from '../../../kernel/settings.ts';
import type { EnabledChecks } from '../enabled-checks.ts';
import { appliesAt } from '../kind-applies.ts';
import { readPlans } from '../schedule/schedule-steps.queries.ts';
import { startsOn, withSchedule } from './site-years.ts';

/** A period that ended in one of the weeks. `place`: the index of its status letter in `Site.letters`. */
type Cell = { period: Period; place: number; week: WallWeek };

/**
 * Counts the checks of the last whole weeks at the buildings of a display, the oldest week first. A check counts as done
 * if its period is complete, as in the year grids.
 * @param tx also reads which buildings the display may show, in the same snapshot
 * @throws AppError `unauthenticated` if the display has been unpaired or given another screen since the call began
 */
export async function pastWeeks(
  tx: Queryable,
  { tokenHash }: Pick<DisplayActor, 'tokenHash'>,
  { enabled, now }: { enabled: EnabledChecks; now: Date },
): Promise<WallWeek[]> {
  const display = await readDisplayByHash(tx, tokenHash);
  if (display === undefined) throw new AppError('unauthenticated');
  const { today } = await readToday(tx, now);
  const weeks: WallWeek[] = [];
  let period = periodOf('weekly', today);
  for (let n = 0; n < WALL_WEEKS; n += 1) {
    period = previousPeriod('weekly', period);
    weeks.unshift({ end: period.end, due: 0, done: 0 });
  }
  const years: readonly [number, number] = [period.year, period.year + 1];
  const byEnd = new Map(weeks.map((week) => [week.end, week]));
  const shown = shownOn(display, buildings.id);
  for (const kind of enabled) {
    await countKind(tx, { kind, shown, years, cells: cellsOf(kind, years, byEnd) });
  }
  return weeks;
}

function cellsOf(kind: CheckKind, years: readonly number[], weeks: ReadonlyMap<string, WallWeek>): Cell[] {
  const { cadence } = CHECK_VOCABULARY[kind];
  return years.flatMap((year, n) =>
    periodsOfYear(cadence, year).flatMap((period) => {
      const week = weeks.get(periodOf('weekly', period.end).end);
      const place = n * PERIODS_MAX[cadence] + period.index;
      return week === undefined ? [] : [{ period, place, week }];
    }),
  );
}

/** A building where the kind applies. `letters`: the statuses of the periods of both years, one letter each. */
type Site = { buildingId: string; startsOn: string; letters: string };

async function countKind(
  db: Queryable,
  given: { kind: CheckKind; shown: SQL; years: readonly [number, number]; cells: readonly Cell[] },
): Promise<void> {
  const { kind, cells } = given;
  const sites = await readSites(db, given);
  const plans = await readPlans(db, eq(checkPlans.kind, kind));
  const counted = cells.map(() => ({ due: 0, done: 0 }));
  for (const site of sites) {
    const steps = plans(site.buildingId, kind);
    const first = cells.findIndex(({ period }) => period.end >= site.startsOn);
    const isExpected =
      steps.length === 0
        ? (_cell: Cell, n: number) => first >= 0 && n >= first
        : ({ period }: Cell) => isExpectedIn({ ...site, steps }, period);
    count(site.letters, { cells, counted, isExpected });
  }
  for (const [n, { week }] of cells.entries()) {
    week.due += counted[n]?.due ?? 0;
    week.done += counted[n]?.done ?? 0;
  }
}

/** Counts the checks of one building. Among thousands of buildings this runs a hundred thousand times for each kind. */
function count(
  letters: string,
  to: {
    cells: readonly Cell[];
    counted: readonly { due: number; done: number }[];
    isExpected: (cell: Cell, n: number) => boolean;
  },
): void {
  for (const [n, cell] of to.cells.entries()) {
    const status = letters[cell.place];
    const sum = to.counted[n];
    if (sum === undefined || (status === CELL_STATUSES.none && !to.isExpected(cell, n))) continue;
    sum.due += 1;
    if (status === CELL_STATUSES.pass || status === CELL_STATUSES.fail) sum.done += 1;
  }
}

function readSites(
  db: Queryable,
  { kind, shown, years }: { kind: CheckKind; shown: SQL; years: readonly [number, number] },
): Promise<Site[]> {
  const empty = CELL_STATUSES.none.repeat(PERIODS_MAX[CHECK_VOCABULARY[kind].cadence]);
  const yearOf = (name: 'before' | 'present', year: number) => sql`left join ${checkYears} ${sql.raw(name)}
    on ${sql.raw(name)}.building_id = ${buildings.id} and ${sql.raw(name)}.kind = ${kind} and ${sql.raw(name)}.year = ${year}`;
  // Without the query builder, because building its rows takes longer than the database needs for the query.
  return db.execute<Site>(sql`
    select ${buildings.id} as "buildingId", ${startsOn} as "startsOn",
      coalesce(before.cells, ${empty}) || coalesce(present.cells, ${empty}) as letters
    from ${buildings}
    left join ${checkSchedules} on ${withSchedule(kind)}
    ${yearOf('before', years[0])} ${yearOf('present', years[1])}
    where ${shown} and ${appliesAt(kind, buildings.id)}`);
}
