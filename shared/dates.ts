/** The time zone where an organisation has not chosen one. */
export const DEFAULT_TIME_ZONE = 'Europe/London';

let assumed: string = DEFAULT_TIME_ZONE;
/**
 * Sets the default time zone of all functions in this file. Only for a page, which shows one organisation and learns the
 * zone with the session. A server always passes the zone that it read (`tests/unit/shared/time-zone.test.ts`).
 */
export function assumeTimeZone(timeZone: string): void {
  assumed = timeZone;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A moment as it is passed around: ISO text, Unix milliseconds or a Date. */
export type Instant = string | number | Date;

// Formatters are cached: creating one costs about a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(key: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${key} ${timeZone}`;
  let found = formatters.get(name);
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
    formatters.set(name, found);
  }
  return found;
}

function partsOf(format: Intl.DateTimeFormat, moment: Instant): Record<string, string> {
  return Object.fromEntries(format.formatToParts(toMs(moment)).map(({ type, value }) => [type, value]));
}

/** Unix milliseconds of a moment. A calendar date ("2026-11-20") counts as midnight UTC. */
export function toMs(moment: Instant): number {
  return typeof moment === 'number' ? moment : new Date(moment).getTime();
}

// Names of our own, because en-GB abbreviates September as "Sept".
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** "Nov 20, 2026": the day of a moment in a time zone. */
export function formatDate(moment: Instant, timeZone: string = assumed): string {
  return formatDay(dayOf(moment, timeZone));
}

/** "Nov 20, 2026" for a calendar date. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-');
  return `${MONTHS[Number(month) - 1]} ${date}, ${year}`;
}

/** "Fri 20 Nov 2026", for log pages and the wall display. */
export function formatWeekdayDate(moment: Instant, timeZone: string = assumed): string {
  const day = dayOf(moment, timeZone);
  const [year, month, date] = day.split('-');
  return `${WEEKDAYS[weekdayOf(day) - 1]} ${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** "14:02", in 24-hour time. */
export function formatTime(moment: Instant, timeZone: string = assumed): string {
  const { hour, minute } = partsOf(
    formatter('time', timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    moment,
  );
  return `${hour}:${minute}`;
}

/** "Nov 20, 2026 14:02". */
export function formatDateTime(moment: Instant, timeZone: string = assumed): string {
  return `${formatDate(moment, timeZone)} ${formatTime(moment, timeZone)}`;
}

/** "Fri 20 Nov 2026 14:02", for moments in the log. */
export function formatWeekdayTime(moment: Instant, timeZone: string = assumed): string {
  return `${formatWeekdayDate(moment, timeZone)} ${formatTime(moment, timeZone)}`;
}

const STEPS = [
  { unit: 'year', ms: 365 * DAY_MS },
  { unit: 'month', ms: 30 * DAY_MS },
  { unit: 'week', ms: 7 * DAY_MS },
  { unit: 'day', ms: DAY_MS },
  { unit: 'hour', ms: HOUR_MS },
  { unit: 'minute', ms: MINUTE_MS },
] as const;

/** "2 hours ago", "in 3 days", "just now": one whole unit, rounded towards now. */
export function formatRelative(moment: Instant, now: Instant): string {
  const difference = toMs(moment) - toMs(now);
  const size = Math.abs(difference);
  const step = STEPS.find(({ ms }) => size >= ms);
  if (step === undefined) return 'just now';
  const count = Math.floor(size / step.ms);
  const words = `${count} ${step.unit}${count === 1 ? '' : 's'}`;
  return difference < 0 ? `${words} ago` : `in ${words}`;
}

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The calendar date ("2026-11-20") of a moment in a time zone; a calendar date is itself, whatever the zone. */
export function dayOf(moment: Instant, timeZone: string = assumed): string {
  if (typeof moment === 'string' && CALENDAR_DATE.test(moment)) return moment;
  const { year, month, day } = partsOf(
    formatter('day', timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
    moment,
  );
  return `${year?.padStart(4, '0')}-${month}-${day}`;
}

/** ISO weekday of a calendar date: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The calendar date `count` days later; earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The number of days from one calendar date to another; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/**
 * The same day of the month `count` months later, earlier if negative, or the end of that month if it is shorter:
 * "2027-01-31" and one month is "2027-02-28".
 */
export function addMonths(day: string, count: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) throw new Error(`not a day: ${day}`);
  const first = `${monthText(year * 12 + month - 1 + count)}-01`;
  return addDays(first, Math.min(date, daysInMonth(first)) - 1);
}

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!CALENDAR_DATE.test(text)) return false;
  const [month, date] = [Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(text);
}

/** The number of days in the month of a calendar date. */
export function daysInMonth(day: string): number {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
}

/** "2026-11", from the number of months since the year 0. */
function monthText(months: number): string {
  const year = String(Math.floor(months / 12)).padStart(4, '0');
  return `${year}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The UTC offset of a time zone at a moment, in milliseconds; positive east of UTC. */
function offsetMs(moment: number, timeZone: string): number {
  const format = formatter('offset', timeZone, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const { year, month, day, hour, minute, second } = partsOf(format, moment);
  const shown = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return shown - Math.floor(moment / 1000) * 1000;
}

/**
 * Unix milliseconds of a wall-clock time in a time zone. A time that the clocks skip in spring is moved forward by the
 * length of the gap (01:30 becomes 02:30); a time that occurs twice in autumn becomes the first of the two.
 * @param time "09:00" or "09:00:00"
 */
export function instantOf(day: string, time: string, timeZone: string = assumed): number {
  const wanted = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  const before = wanted - offsetMs(wanted - DAY_MS, timeZone);
  const after = wanted - offsetMs(wanted + DAY_MS, timeZone);
  if (before === after) return before;
  const fits = [before, after].filter((moment) => moment + offsetMs(moment, timeZone) === wanted);
  return Math.min(...(fits.length === 0 ? [Math.max(before, after)] : fits));
}

/** Unix milliseconds at which a calendar date begins. */
export function startOfDay(day: string, timeZone: string = assumed): number {
  return instantOf(day, '00:00', timeZone);
}

/** The last millisecond of a calendar date. */
export function endOfDay(day: string, timeZone: string = assumed): number {
  return startOfDay(addDays(day, 1), timeZone) - 1;
}
