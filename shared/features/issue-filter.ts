import type { Issue, IssueFilter } from './issues.ts';
import type { IssueDateRange, IssueStatus } from './issues.vocabulary.ts';

// What a list's filter and order mean, for a browser that applies events to a list in its cache. The server says the
// same in SQL, and a test compares the two. No validation library here: the first screen loads this.

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const OVERDUE_DAYS = 30;

/** Statuses in which an issue is no longer waiting for anybody. */
export const DONE_STATUSES: readonly IssueStatus[] = ['resolved', 'closed'];

/** The bounds that a date range puts on `createdAt`, both inclusive, in Unix milliseconds. */
export type CreatedBounds = { from: number | null; to: number | null };

/** What a date range means at a moment. Overdue asks for the status besides: not resolved, not closed. */
export function createdBounds(range: IssueDateRange, now: number): CreatedBounds {
  switch (range) {
    case 'all':
      return { from: null, to: null };
    case 'week':
      return { from: now - WEEK_DAYS * DAY_MS, to: null };
    case 'month':
      return { from: oneMonthBefore(now), to: null };
    case 'overdue':
      return { from: null, to: now - OVERDUE_DAYS * DAY_MS };
  }
}

/**
 * The same day and time one calendar month earlier (UTC). Where that month is shorter, its end: so the bound never
 * moves backwards, and what has left the range does not come back.
 */
function oneMonthBefore(now: number): number {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const end = Date.UTC(year, month, 1);
  const before = new Date(now);
  before.setUTCMonth(month - 1);
  return Math.min(before.getTime(), end);
}

/** The first moment at which `oneMonthBefore` lies after a creation. */
function oneMonthAfter(createdAt: number): number {
  const at = new Date(createdAt);
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, 1);
  const after = new Date(createdAt);
  after.setUTCMonth(at.getUTCMonth() + 1);
  return Math.min(after.getTime() + 1, end);
}

/** Lower case one character at a time, as the database does: never longer or shorter than it was. */
export function foldCase(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = character === 'İ' ? 'i' : character.toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}

type Filtered = Pick<
  Issue,
  | 'buildingId'
  | 'status'
  | 'priority'
  | 'assignedTo'
  | 'createdAt'
  | 'title'
  | 'description'
  | 'referenceNumber'
>;

/** Does an issue belong to a list with this filter, at this moment (Unix milliseconds)? */
export function matchesIssueFilter(filter: IssueFilter, issue: Filtered, now: number): boolean {
  if (filter.buildingId !== undefined && filter.buildingId.toLowerCase() !== issue.buildingId) return false;
  if (filter.assignedTo !== undefined && filter.assignedTo.toLowerCase() !== issue.assignedTo) return false;
  if (isNarrowing(filter.statuses) && !filter.statuses.includes(issue.status)) return false;
  if (isNarrowing(filter.priorities) && !filter.priorities.includes(issue.priority)) return false;
  return inRange(filter.range ?? 'all', issue, now) && containsText(filter.search ?? '', issue);
}

/** An empty choice is no choice: it narrows nothing. */
export function isNarrowing<T>(choice: readonly T[] | undefined): choice is readonly T[] {
  return choice !== undefined && choice.length > 0;
}

function inRange(range: IssueDateRange, issue: Pick<Issue, 'createdAt' | 'status'>, now: number): boolean {
  if (range === 'overdue' && DONE_STATUSES.includes(issue.status)) return false;
  const { from, to } = createdBounds(range, now);
  const created = Date.parse(issue.createdAt);
  return (from === null || created >= from) && (to === null || created <= to);
}

function containsText(search: string, issue: Filtered): boolean {
  const wanted = foldCase(search.trim());
  if (wanted === '') return true;
  return [issue.referenceNumber, issue.title, issue.description].some((text) =>
    foldCase(text).includes(wanted),
  );
}

/** Newest first, and of two of the same millisecond the one with the higher id. */
export function compareIssues(
  a: Pick<Issue, 'createdAt' | 'id'>,
  b: Pick<Issue, 'createdAt' | 'id'>,
): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

/**
 * The one moment (ISO) at which an issue leaves the range, or enters it where the range is Overdue, by the clock
 * alone; null where the clock changes nothing. It may lie in the past.
 */
export function nextChangeByClock(
  filter: Pick<IssueFilter, 'range'>,
  issue: Pick<Issue, 'createdAt' | 'status'>,
): string | null {
  const created = Date.parse(issue.createdAt);
  switch (filter.range ?? 'all') {
    case 'all':
      return null;
    case 'week':
      return new Date(created + WEEK_DAYS * DAY_MS + 1).toISOString();
    case 'month':
      return new Date(oneMonthAfter(created)).toISOString();
    case 'overdue':
      return DONE_STATUSES.includes(issue.status)
        ? null
        : new Date(created + OVERDUE_DAYS * DAY_MS).toISOString();
  }
}
