import { addDays, daysBetween, daysInMonth, weekdayOf } from './dates.ts';

// Periods in which checks are due, counted in calendar days. A week of the log begins on a Friday and belongs to the
// year of that Friday; a month is the calendar month.

export const CADENCES = ['weekly', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];

/** One week or month of a log, as calendar dates ("2026-11-20"); `end` is the last day, included. */
export type Period = {
  start: string;
  end: string;
  /** The year whose log has the period, and the period's index in that year, from 0. */
  year: number;
  index: number;
};

const FRIDAY = 5;

/** The first Friday on or after 1 January. */
function firstFriday(year: number): string {
  const newYear = `${String(year).padStart(4, '0')}-01-01`;
  return addDays(newYear, (FRIDAY - weekdayOf(newYear) + 7) % 7);
}

function weekStarting(start: string): Period {
  const year = Number(start.slice(0, 4));
  return { start, end: addDays(start, 6), year, index: daysBetween(firstFriday(year), start) / 7 };
}

function monthOf(year: number, index: number): Period {
  const start = `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}-01`;
  return { start, end: addDays(start, daysInMonth(start) - 1), year, index };
}

/** The week or month that contains a day. 1 and 2 January 2025 belong to the last week of 2024. */
export function periodOf(cadence: Cadence, day: string): Period {
  if (cadence === 'monthly') return monthOf(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1);
  return weekStarting(addDays(day, -((weekdayOf(day) - FRIDAY + 7) % 7)));
}

/** All weeks (52 or 53) or months (12) of a year's log, in order. */
export function periodsOfYear(cadence: Cadence, year: number): Period[] {
  if (cadence === 'monthly') return Array.from({ length: 12 }, (_, index) => monthOf(year, index));
  const periods: Period[] = [];
  for (let start = firstFriday(year); Number(start.slice(0, 4)) === year; start = addDays(start, 7)) {
    periods.push({ start, end: addDays(start, 6), year, index: periods.length });
  }
  return periods;
}

/** The most periods that a year can have. */
export const PERIODS_MAX: Readonly<Record<Cadence, number>> = { weekly: 53, monthly: 12 };

/** The period before the given one. */
export function previousPeriod(cadence: Cadence, period: Period): Period {
  return periodOf(cadence, addDays(period.start, -1));
}
/** The period after the given one. */
export function nextPeriod(cadence: Cadence, period: Period): Period {
  return periodOf(cadence, addDays(period.end, 1));
}

/** Whether a check at a site is due, and by when. */
export type Due = {
  /** The last day on which the check is still in time. */
  nextDue: string;
  /** The present period is not complete yet. */
  isDue: boolean;
  /** At least one whole period has passed that is not complete. */
  isOverdue: boolean;
};

/**
 * The next time that a check is due at a site: by the end of the period after the last complete one, or, if none is
 * complete yet, by the end of the first period.
 * @param site.startsOn the day from which the site is checked
 * @param site.lastDone a day of the last complete period
 * @param site.since the day from which this check is due at the site, if it was not due there before
 */
export function dueOf(
  cadence: Cadence,
  site: { startsOn: string; lastDone: string | null; since?: string | null },
  today: string,
): Due {
  const current = periodOf(cadence, today);
  const next =
    site.lastDone === null
      ? periodOf(cadence, site.startsOn)
      : nextPeriod(cadence, periodOf(cadence, site.lastDone));
  const first = site.since == null ? next : periodOf(cadence, site.since);
  const wanted = first.start > next.start ? first : next;
  return {
    nextDue: wanted.end,
    isDue: wanted.start <= current.start,
    isOverdue: wanted.end < today,
  };
}
