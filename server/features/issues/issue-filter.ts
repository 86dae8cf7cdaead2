import { and, eq, gt, gte, inArray, like, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import { buildingIssues } from '#db/schema/issues.ts';
import { createdBounds, DONE_STATUSES, foldCase, isNarrowing } from '#shared/features/issue-filter.ts';
import type { IssueCursor, IssueFilter } from '#shared/features/issues.ts';

// The same meaning as shared/features/issue-filter.ts, in SQL.

/** The condition of a whole filter at a moment; undefined where it narrows nothing. */
export function whereFilter(filter: IssueFilter, now: number): SQL | undefined {
  return and(whereTimeless(filter), whereRange(filter, now));
}

function whereTimeless(filter: IssueFilter): SQL | undefined {
  return and(
    filter.buildingId === undefined ? undefined : eq(buildingIssues.buildingId, filter.buildingId),
    filter.assignedTo === undefined ? undefined : eq(buildingIssues.assignedTo, filter.assignedTo),
    isNarrowing(filter.statuses) ? inArray(buildingIssues.status, [...filter.statuses]) : undefined,
    isNarrowing(filter.priorities) ? inArray(buildingIssues.priority, [...filter.priorities]) : undefined,
    whereText(filter.search ?? ''),
  );
}

function whereText(search: string): SQL | undefined {
  const wanted = foldCase(search.trim());
  if (wanted === '') return undefined;
  // LIKE, because the planner can tell from its statistics how rare the text is: the order of an index for a common
  // one, the trigrams for a rare one. With strpos it always takes the index, and a rare text costs ten times as much.
  return like(buildingIssues.searchText, `%${wanted.replace(/[\\%_]/g, '\\$&')}%`);
}

function whereRange(filter: IssueFilter, now: number): SQL | undefined {
  const range = filter.range ?? 'all';
  const { from, to } = createdBounds(range, now);
  return and(
    range === 'overdue' ? notDone() : undefined,
    from === null ? undefined : gte(buildingIssues.createdAt, new Date(from).toISOString()),
    to === null ? undefined : lte(buildingIssues.createdAt, new Date(to).toISOString()),
  );
}

function notDone(): SQL {
  return notInArray(buildingIssues.status, [...DONE_STATUSES]);
}

/**
 * The issues of which the oldest is the next to leave the list by the clock, or to enter it where the range is
 * Overdue; undefined where the clock changes nothing.
 */
export function whereClockMoves(filter: IssueFilter, now: number): SQL | undefined {
  const range = filter.range ?? 'all';
  if (range === 'all') return undefined;
  const { to } = createdBounds(range, now);
  if (range !== 'overdue' || to === null) return whereFilter(filter, now);
  return and(whereTimeless(filter), notDone(), gt(buildingIssues.createdAt, new Date(to).toISOString()));
}

// The database knows no year nought, and a cursor may name any.
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');

/** What comes after a cursor, newest first. */
export function whereAfter(cursor: IssueCursor): SQL {
  const createdAt = new Date(Math.max(EARLIEST, Date.parse(cursor.createdAt))).toISOString();
  return sql`(${buildingIssues.createdAt}, ${buildingIssues.id}) < (${createdAt}::timestamptz, ${cursor.id}::uuid)`;
}

/** Newest first, and of two of the same millisecond the one with the higher id. */
export const newestFirst: readonly SQL[] = [
  sql`${buildingIssues.createdAt} desc`,
  sql`${buildingIssues.id} desc`,
];

/** May be answered from the tallies per building and status, without looking at a single issue. */
export function isCountedByTallies(filter: IssueFilter): boolean {
  return (
    filter.assignedTo === undefined &&
    !isNarrowing(filter.priorities) &&
    (filter.range ?? 'all') === 'all' &&
    (filter.search ?? '').trim() === ''
  );
}
