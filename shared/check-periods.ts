import { addDays, weekdayOf } from './dates.ts';

// When a check is due, by calendar days alone. A week of the log begins on a Friday and belongs to the year of that
// Friday; a month is a month.

export const CADENCES = ['weekly', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];

/** One week or month of a log. Days are "2026-11-20"; the end belongs to it. */
export type Period = {
  start: string;
  end: string;
  /** The year in whose log it stands, and its place there, from 0. */
  year: number;
  index: number;
};

const FRIDAY = 5;

/** The first Friday on or after 1 January. */
function firstFriday(year: number): string {
  const newYear = `${String(year).padStart(4, '0')}-01-01`;
  return addDays(newYear, (FRIDAY - weekdayOf(newYear) + 7) % 7);
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

function weekStarting(start: string): Period {
  const year = Number(start.slice(0, 4));
  return { start, end: addDays(start, 6), year, index: daysBetween(firstFriday(year), start) / 7 };
}

function monthOf(year: number, index: number): Period {
  const start = `${String(year).padStart(4, '0')}-${String(index + 1).padStart(2, '0')}-01`;
  const days = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return { start, end: `${start.slice(0, 8)}${String(days).padStart(2, '0')}`, year, index };
}

/** The week or month that a day falls in. 1 and 2 January 2025 fall in the last week of 2024. */
export function periodOf(cadence: Cadence, day: string): Period {
  if (cadence === 'monthly') return monthOf(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1);
  return weekStarting(addDays(day, -((weekdayOf(day) - FRIDAY + 7) % 7)));
}

/** Every week or month of a year's log, first to last: 52 or 53 weeks, 12 months. */
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

/** The one before, and the one after. */
export function previousPeriod(cadence: Cadence, period: Period): Period {
  return periodOf(cadence, addDays(period.start, -1));
}
export function nextPeriod(cadence: Cadence, period: Period): Period {
  return periodOf(cadence, addDays(period.end, 1));
}

/** Where a check at a site stands. */
export type Due = {
  /** The last day on which it is still in time. */
  nextDue: string;
  /** Nothing recorded in the present period yet. */
  isDue: boolean;
  /** A whole period has gone by without a record. */
  isOverdue: boolean;
};

/**
 * When a check has to be done next: by the end of the period after the last one that has a record, or of the first.
 * @param startsOn from when the site is checked
 * @param since from when it is due there, where it was not before
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
