import { addDays, dayOf, HOUR_MS, instantOf, weekdayOf } from '../../dates.ts';

/** The working hours of an organisation. */
export type WorkingCalendar = {
  /** IANA name. */
  timeZone: string;
  /** ISO weekdays; 1 is Monday. */
  workingDays: readonly number[];
  /** Wall-clock times, "09:00"; the end is later than the start on the same day. */
  workStartsAt: string;
  workEndsAt: string;
  /** Calendar dates ("2026-12-25") without working hours. */
  holidays: ReadonlySet<string>;
};

/** An hour is counted day and night; a working day has the length of the organisation's working hours. */
export type SlaUnit = 'hour' | 'working_day';
export type SlaTarget = { respondAmount: number; resolveAmount: number; unit: SlaUnit };

/** The total time of all pauses, in real and in working time, because the target may change its unit later. */
export type PausedTime = { ms: number; workingMs: number };
export const NEVER_PAUSED: PausedTime = { ms: 0, workingMs: 0 };

/** The most days to search: a calendar without any working time would make the search endless. */
const SEARCH_DAYS = 3_660;

/** The working hours of a calendar date, in Unix milliseconds; undefined for a day without working hours. */
function hoursOf(day: string, calendar: WorkingCalendar): { start: number; end: number } | undefined {
  if (!calendar.workingDays.includes(weekdayOf(day)) || calendar.holidays.has(day)) return undefined;
  const start = instantOf(day, calendar.workStartsAt, calendar.timeZone);
  const end = instantOf(day, calendar.workEndsAt, calendar.timeZone);
  return end > start ? { start, end } : undefined;
}

/** The length of one working day in milliseconds, by the wall clock. */
export function workingDayMs(calendar: WorkingCalendar): number {
  return minutesOf(calendar.workEndsAt) - minutesOf(calendar.workStartsAt);
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return (Number(hours) + Number(minutes) / 60) * HOUR_MS;
}

/** The moment at which `workingMs` of working time have passed since `from`. */
export function addWorkingTime(from: number, workingMs: number, calendar: WorkingCalendar): number {
  let left = workingMs;
  let day = dayOf(from, calendar.timeZone);
  for (let count = 0; count < SEARCH_DAYS; count += 1, day = addDays(day, 1)) {
    const hours = hoursOf(day, calendar);
    if (hours === undefined || hours.end <= from) continue;
    const begin = Math.max(from, hours.start);
    if (left <= hours.end - begin) return begin + left;
    left -= hours.end - begin;
  }
  // The calendar has no working time: count day and night instead.
  return from + workingMs;
}

/** The working time between two moments, in milliseconds. */
export function workingTimeBetween(from: number, to: number, calendar: WorkingCalendar): number {
  let sum = 0;
  const last = dayOf(to, calendar.timeZone);
  for (let day = dayOf(from, calendar.timeZone); day <= last; day = addDays(day, 1)) {
    const hours = hoursOf(day, calendar);
    if (hours !== undefined) sum += Math.max(0, Math.min(to, hours.end) - Math.max(from, hours.start));
  }
  return sum;
}

/** The due time of a target that began at `from`, moved later by its pauses, in Unix milliseconds. */
export function dueAt(
  from: number,
  clock: { amount: number; unit: SlaUnit; paused: PausedTime },
  calendar: WorkingCalendar,
): number {
  if (clock.unit === 'hour') return from + clock.amount * HOUR_MS + clock.paused.ms;
  return addWorkingTime(from, clock.amount * workingDayMs(calendar) + clock.paused.workingMs, calendar);
}

/** Adds a pause that has just ended to the time of earlier pauses. */
export function addPause(
  before: PausedTime,
  from: number,
  to: number,
  calendar: WorkingCalendar,
): PausedTime {
  if (to <= from) return before;
  return {
    ms: before.ms + (to - from),
    workingMs: before.workingMs + workingTimeBetween(from, to, calendar),
  };
}
