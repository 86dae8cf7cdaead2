import { isFoundIn, isPrefixSearch, wantedText } from '../../text/search-text.ts';
import type { Issue, IssueFilter } from './issues.ts';
import type { IssueDateRange, IssueStatus } from './issues.vocabulary.ts';

// The filter and order of the issue list, for a browser that applies events to a cached list. The server expresses the
// same in SQL, and a test compares the two. Without the validation library, because the first screen loads this file.

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const OVERDUE_DAYS = 30;

/** The statuses of an issue that needs no more work. */
export const DONE_STATUSES: readonly IssueStatus[] = ['resolved', 'closed'];

/** The bounds that a date range puts on `createdAt`: inclusive, in Unix milliseconds; null means unbounded. */
export type CreatedBounds = { from: number | null; to: number | null };

/** The bounds of a date range at a moment. The range Overdue also excludes issues that are resolved or closed. */
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
 * The same day and time one calendar month earlier (UTC), or the end of that month if it is shorter. So the bound never
 * moves backwards, and an issue that has left the range does not come back.
 */
function oneMonthBefore(now: number): number {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const end = Date.UTC(year, month, 1);
  const before = new Date(now);
  before.setUTCMonth(month - 1);
  return Math.min(before.getTime(), end);
}

/** The first moment at which `oneMonthBefore` is later than a creation time. */
function oneMonthAfter(createdAt: number): number {
  const at = new Date(createdAt);
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, 1);
  const after = new Date(createdAt);
  after.setUTCMonth(at.getUTCMonth() + 1);
  return Math.min(after.getTime() + 1, end);
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

/** Whether an issue belongs to a list with this filter at a moment (Unix milliseconds). */
export function matchesIssueFilter(filter: IssueFilter, issue: Filtered, now: number): boolean {
  if (filter.buildingId !== undefined && filter.buildingId.toLowerCase() !== issue.buildingId) return false;
  if (filter.assignedTo !== undefined && filter.assignedTo.toLowerCase() !== issue.assignedTo) return false;
  if (isNarrowing(filter.statuses) && !filter.statuses.includes(issue.status)) return false;
  if (isNarrowing(filter.priorities) && !filter.priorities.includes(issue.priority)) return false;
  return inRange(filter.range ?? 'all', issue, now) && containsText(filter.search ?? '', issue);
}

/** An empty choice counts as no choice. */
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
  const wanted = wantedText(search);
  if (wanted === '') return true;
  const { title, referenceNumber, description } = issue;
  const searched = isPrefixSearch(wanted) ? [title] : [referenceNumber, title, description];
  return searched.some((text) => isFoundIn(text, wanted));
}

/** Compares newest first; for equal milliseconds the higher id comes first. */
export function compareIssues(
  a: Pick<Issue, 'createdAt' | 'id'>,
  b: Pick<Issue, 'createdAt' | 'id'>,
): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

/**
 * The moment (ISO, may be in the past) at which an issue leaves the range because of its age, or, for the range Overdue,
 * enters it; null if time changes nothing.
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
