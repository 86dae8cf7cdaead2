import { and, eq, gt, gte, inArray, like, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import { buildingIssues } from '#db/schema/issues.ts';
import { createdBounds, DONE_STATUSES, isNarrowing } from '#shared/features/issues/issue-filter.ts';
import type { IssueCursor, IssueFilter } from '#shared/features/issues/issues.ts';
import { isPrefixSearch, wantedText } from '#shared/text/search-text.ts';
import { isOlder } from '../../kernel/lists/page.ts';
import { patternOf } from '../../kernel/lists/search-pattern.ts';

// Same semantics as shared/features/issues/issue-filter.ts, in SQL.

/** SQL condition of a whole filter at a moment; undefined if it does not narrow. */
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
  const wanted = wantedText(search);
  if (wanted === '') return undefined;
  if (isPrefixSearch(wanted)) return like(sql`${buildingIssues.searchKey} collate "C"`, patternOf(wanted));
  // LIKE, because the planner can then estimate from statistics how rare the text is: it walks an ordered index for a common text
  // and uses the trigram index for a rare text. With strpos, the planner always walks the ordered index, and a rare text takes
  // ten times as long.
  return like(buildingIssues.searchText, patternOf(wanted));
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
 * SQL condition for the issues that time alone will move out of the list, or into it for the range Overdue; the oldest of
 * them moves next. Undefined if time changes nothing.
 */
export function whereClockMoves(filter: IssueFilter, now: number): SQL | undefined {
  const range = filter.range ?? 'all';
  if (range === 'all') return undefined;
  const { to } = createdBounds(range, now);
  if (range !== 'overdue' || to === null) return whereFilter(filter, now);
  return and(whereTimeless(filter), notDone(), gt(buildingIssues.createdAt, new Date(to).toISOString()));
}

/** SQL condition for issues after a cursor, newest first. */
export function whereAfter({ createdAt, id }: IssueCursor): SQL {
  return isOlder([buildingIssues.createdAt, buildingIssues.id], { at: createdAt, id });
}

/** Newest first; equal times are ordered by id. */
export const newestFirst: readonly SQL[] = [
  sql`${buildingIssues.createdAt} desc`,
  sql`${buildingIssues.id} desc`,
];

/** Whether the tallies per building and status suffice, so that no issue has to be counted. */
export function isCountedByTallies(filter: IssueFilter): boolean {
  return (
    filter.assignedTo === undefined &&
    !isNarrowing(filter.priorities) &&
    (filter.range ?? 'all') === 'all' &&
    wantedText(filter.search) === ''
  );
}
