import { nextDueAt, type WallIssue } from '#shared/features/displays/wall.ts';
import { formatNumber } from '#shared/format-number.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration, "40 s", "12 min", "3 h", "2 d": one unit, rounded down. */
export function span(ms: number): string {
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d`;
  if (ms >= HOUR) return `${Math.floor(ms / HOUR)} h`;
  if (ms >= MINUTE) return `${Math.floor(ms / MINUTE)} min`;
  return `${Math.floor(Math.max(0, ms) / 1_000)} s`;
}

/** "12 min ago", and within the first minute "just now". */
export function agoText(ms: number): string {
  return ms < MINUTE ? words.justNow : words.ago(span(ms));
}

/** "2 h left", "4 h over", "Paused"; empty without a target. */
export function leftText(issue: WallIssue, now: number): { text: string; isLate: boolean } {
  if (issue.pausedAt !== null) return { text: 'Paused', isLate: false };
  const due = nextDueAt(issue);
  if (due === null) return { text: '', isLate: false };
  const left = Date.parse(due) - now;
  return left < 0
    ? { text: `${span(-left)} over`, isLate: true }
    : { text: `${span(left)} left`, isLate: false };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(key, made);
  return made;
}

/** "14:32", or with seconds "14:32:05". */
export function timeText(at: number, timeZone: string, seconds = false): string {
  const parts: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false };
  if (seconds) parts.second = '2-digit';
  return formatIn(timeZone, parts).format(at);
}

/** "Friday 20 November", or short "Fri 20 Nov". */
export function dayText(at: number, timeZone: string, length: 'long' | 'short'): string {
  return formatIn(timeZone, { weekday: length, day: 'numeric', month: length }).format(at).replace(',', '');
}

/** "Nov", or as a letter "N". */
export function monthText(day: string, isWhole: boolean): string {
  const name = formatIn('UTC', { month: 'short' }).format(Date.parse(day));
  return isWhole ? name.slice(0, 3) : name.slice(0, 1);
}

/** The hour and minute of the organisation's day. */
export function localTime(at: number, timeZone: string): { hour: number; minute: number } {
  const [hour = '', minute = ''] = timeText(at, timeZone).split(':');
  return { hour: Number(hour) % 24, minute: Number(minute) };
}

/** Whether an hour is between two others, also across midnight. The hour `to` is not included. */
export function isWithin(hour: number, { from, to }: { from: number; to: number }): boolean {
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** Counts of this size or more do not fit into the space for a figure, which is a third of the width of a panel in portrait. */
const LONG_COUNT = 10_000;

/** "9,999"; in portrait "12.3k", rounded down, for a count that would not fit. */
export function countText(count: number, isPortrait: boolean): string {
  if (!isPortrait || count < LONG_COUNT) return formatNumber(count);
  return `${Math.floor(count / 100) / 10}k`;
}

/** The words of the page of a display. */
export const words = {
  connecting: 'Connecting to Lintel',
  connectingText: (host: string) => `This display starts as soon as ${host} answers.`,
  pairTitle: 'Pair this screen',
  pairText: (host: string) => `An administrator enters this code at ${host}/displays, or scans the QR code.`,
  wait: 'Too many codes were requested. A new one will appear within a minute.',
  silentSince: (time: string, day: string) => `No contact with Lintel since ${time}, ${day}`,
  silentText: 'What was shown is too old to act on. The display will continue by itself when Lintel answers.',
  live: 'Live',
  liveSince: (age: string) => `Live · last change ${age} ago`,
  reconnecting: 'Reconnecting',
  asOf: (time: string) => `as of ${time}`,
  paused: 'Paused',
  stale: (age: string) => `Out of date: no contact with Lintel for ${age}`,
  justNow: 'just now',
  ago: (age: string) => `${age} ago`,
  unanswered: (newest: string, total: number) =>
    total === 1 ? `New critical: ${newest}` : `${formatNumber(total)} critical not acknowledged: ${newest}`,
  acknowledged: (time: string, name: string | null, what: string) =>
    `Acknowledged ${time}${name === null ? '' : ` by ${name}`}: ${what}`,
  attention: 'Needs attention',
  range: (from: number, to: number, of: number) => (of === 1 ? '1' : `${from}–${to} of ${formatNumber(of)}`),
  nothingUrgent: 'Nothing critical or high is open',
  noBuildings: 'No buildings to show',
  critical: 'Critical',
  high: 'High',
  states: { open: 'open', in_progress: 'in progress', resolved: 'resolved', closed: 'closed' },
  openIssues: 'Open issues',
  criticals: (count: number) => `${formatNumber(count)} critical`,
  highs: (count: number) => `${formatNumber(count)} high`,
  noneUrgent: 'none urgent',
  checksDone: 'Checks done',
  doneOf: (done: number, of: number) => `${formatNumber(done)} of ${formatNumber(of)} done`,
  missed: (count: number) => `${formatNumber(count)} missed`,
  noChecks: 'No checks scheduled',
  none: '–',
  compliantTasks: 'Compliant tasks',
  overdue: (count: number) => `${formatNumber(count)} overdue`,
  noneOverdue: 'none overdue',
  noTasks: 'No tasks',
  dueThisWeek: (count: number) => `${formatNumber(count)} due this week`,
  today: "This week's and month's checks",
  week: 'Compliance',
  year: 'Checks, last 52 weeks',
  noChecksYet: 'none due',
  doneInTime: (percent: number) => `${percent}% done in time`,
} as const;
