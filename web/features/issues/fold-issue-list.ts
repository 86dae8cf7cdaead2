import { matchesIssueFilter, nextChangeByClock } from '#shared/features/issues/issue-filter.ts';
import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import type { ListContext } from '../../live/list.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

/** Applies a change to the loaded part of an issue list. */
export function foldIssueList(
  page: IssuePage,
  event: LiveChange<'issue' | 'building'>,
  { input, now, change }: ListContext<IssueFilter, IssuePage>,
): IssuePage | 'refetch' {
  if (event.entity === 'building') {
    const rows = renameBuilding(page.rows, event);
    return rows === page.rows ? page : { ...page, rows };
  }
  let { changesAt } = page;
  const next = change(page, event, (row) => {
    // A row that does not match now may match later, as time passes, without another event.
    changesAt = earlier(changesAt, clockAfter(row, input, now));
    return matchesIssueFilter(input, row, now);
  });
  return next === 'refetch' || changesAt === page.changesAt ? next : { ...next, changesAt };
}

/**
 * Applies a change to the counts. The counts contain no rows, so the issue's state before the change is restored from the event.
 */
export function foldIssueCounts(
  counts: IssueCounts,
  event: LiveChange<'issue'>,
  filter: IssueFilter,
  now: number,
): IssueCounts | 'refetch' {
  // A deletion does not carry the row.
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  // Versions of overlays end in .5, so an overlay's creation has a version below 1.
  const before = event.version <= 1 ? null : rowBefore(row, changes);
  const scope: IssueFilter = filter.buildingId === undefined ? {} : { buildingId: filter.buildingId };
  const total = weigh(row, scope, now) - weigh(before, scope, now);
  const is = weigh(row, filter, now);
  const was = weigh(before, filter, now);
  const changesAt = earlier(counts.changesAt, clockAfter(row, filter, now));
  const sameStatus = before?.status === row.status || (is === 0 && was === 0);
  if (total === 0 && is === was && sameStatus && changesAt === counts.changesAt) return counts;

  const { leastOf } = counts;
  const byStatus = { ...counts.byStatus };
  if (before !== null && was === 1) {
    // The count had stopped at its maximum, so only the server knows how many are left.
    if (leastOf.includes(before.status)) return 'refetch';
    byStatus[before.status] -= 1;
  }
  if (is === 1 && !leastOf.includes(row.status)) byStatus[row.status] += 1;
  const matching = ISSUE_STATUSES.reduce((sum, status) => sum + byStatus[status], 0);
  return { total: counts.total + total, matching, byStatus, leastOf, changesAt };
}

/** Returns the issue as it was before the change. */
export function rowBefore(row: Issue, changes: Record<string, [from: unknown, to: unknown]> | null): Issue {
  if (changes === null) return row;
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The cast: the server writes the earlier value of the same field as `from`, which the compiler cannot know.
  return { ...row, ...(before as Partial<Issue>) };
}

function weigh(row: Issue | null, filter: IssueFilter, now: number): 0 | 1 {
  return row !== null && matchesIssueFilter(filter, row, now) ? 1 : 0;
}

/** Returns the future time at which the row starts or stops matching a date filter; null when it never does. */
function clockAfter(row: Issue, filter: IssueFilter, now: number): string | null {
  const at = nextChangeByClock(filter, row);
  return at !== null && Date.parse(at) > now ? at : null;
}

/** Returns the earlier of two ISO times; null means never. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
