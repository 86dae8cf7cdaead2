import { matchesIssueFilter, nextChangeByClock } from '#shared/features/issue-filter.ts';
import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues.ts';
import type { ListContext } from '../../live/list.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

/** What one change means for a loaded part of a list. */
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
    // Also a row that is no part of the list yet may become one by the clock.
    changesAt = earlier(changesAt, clockAfter(row, input, now));
    return matchesIssueFilter(input, row, now);
  });
  return next === 'refetch' || changesAt === page.changesAt ? next : { ...next, changesAt };
}

/** Counts know no rows: what the issue was before is read back from the event's own changes. */
export function foldIssueCounts(
  counts: IssueCounts,
  event: LiveChange<'issue'>,
  filter: IssueFilter,
  now: number,
): IssueCounts | 'refetch' {
  // A row that is gone does not say what it was.
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  // An overlay's version ends in .5: one below the first is a creation too.
  const before = event.version <= 1 ? null : rowBefore(row, changes);
  const scope: IssueFilter = filter.buildingId === undefined ? {} : { buildingId: filter.buildingId };
  const total = weigh(row, scope, now) - weigh(before, scope, now);
  const is = weigh(row, filter, now);
  const was = weigh(before, filter, now);
  const changesAt = earlier(counts.changesAt, clockAfter(row, filter, now));
  const sameStatus = before?.status === row.status || (is === 0 && was === 0);
  if (total === 0 && is === was && sameStatus && changesAt === counts.changesAt) return counts;

  const byStatus = { ...counts.byStatus };
  if (before !== null) byStatus[before.status] -= was;
  byStatus[row.status] += is;
  return { total: counts.total + total, matching: counts.matching + is - was, byStatus, changesAt };
}

/** The issue as it was before the change. */
export function rowBefore(row: Issue, changes: Record<string, [from: unknown, to: unknown]> | null): Issue {
  if (changes === null) return row;
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The compiler cannot see that the server writes a field's own earlier value as `from`.
  return { ...row, ...(before as Partial<Issue>) };
}

function weigh(row: Issue | null, filter: IssueFilter, now: number): 0 | 1 {
  return row !== null && matchesIssueFilter(filter, row, now) ? 1 : 0;
}

/** When the clock alone takes this row in or out; what the clock has done already is in `matchesIssueFilter`. */
function clockAfter(row: Issue, filter: IssueFilter, now: number): string | null {
  const at = nextChangeByClock(filter, row);
  return at !== null && Date.parse(at) > now ? at : null;
}

/** The earlier of two moments; null is never. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
