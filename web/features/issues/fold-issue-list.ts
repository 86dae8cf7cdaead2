import { compareIssues, matchesIssueFilter, nextChangeByClock } from '#shared/features/issue-filter.ts';
import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

/**
 * What one change means for a loaded part of a list, newest first: the row enters, leaves, or is replaced where it
 * stands. An issue never moves within a list, since the moment of its report never changes; so its place is found by
 * halving. Beyond the loaded part nothing is decided: only the counts move there.
 */
export function foldIssueList(
  page: IssuePage,
  event: LiveChange<'issue' | 'building'>,
  filter: IssueFilter,
  now: number,
): IssuePage {
  if (event.entity === 'building') {
    const rows = renameBuilding(page.rows, event);
    return rows === page.rows ? page : { ...page, rows: [...rows] };
  }
  if (event.op === 'del') {
    const at = page.rows.findIndex((row) => row.id === event.entityId);
    const held = page.rows[at];
    if (held === undefined || held.version >= event.version) return page;
    return { ...page, rows: page.rows.toSpliced(at, 1) };
  }

  const { row } = event;
  const place = placeOf(page.rows, row);
  // An overlay may carry a moment of report that the server then corrects: not at its place, it is looked for.
  const at = page.rows[place]?.id === row.id ? place : page.rows.findIndex((each) => each.id === row.id);
  const held = page.rows[at];
  if (held !== undefined && held.version >= event.version) return page;
  const belongs = matchesIssueFilter(filter, row, now);
  const changesAt = earlier(page.changesAt, clockAfter(row, filter, now));
  if (held !== undefined) {
    return { ...page, rows: belongs ? page.rows.with(at, row) : page.rows.toSpliced(at, 1), changesAt };
  }
  const beyondLoaded = page.nextCursor !== null && compareIssues(row, page.nextCursor) > 0;
  if (belongs && !beyondLoaded) return { ...page, rows: page.rows.toSpliced(place, 0, row), changesAt };
  return changesAt === page.changesAt ? page : { ...page, changesAt };
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

/** Joins a further page: of a row that both hold, the copy with the higher version stays. */
export function joinIssuePages(page: IssuePage, further: IssuePage): IssuePage {
  const [last, first] = [page.rows.at(-1), further.rows[0]];
  const changesAt = earlier(page.changesAt, further.changesAt);
  if (last === undefined || first === undefined || compareIssues(last, first) < 0) {
    return { rows: [...page.rows, ...further.rows], nextCursor: further.nextCursor, changesAt };
  }
  const rows = new Map(page.rows.map((row) => [row.id, row]));
  for (const row of further.rows) {
    const held = rows.get(row.id);
    if (held === undefined || held.version < row.version) rows.set(row.id, row);
  }
  return {
    rows: [...rows.values()].sort(compareIssues),
    nextCursor: further.nextCursor,
    changesAt,
  };
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

/** Where the row stands or would stand. */
function placeOf(rows: readonly Issue[], row: Issue): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = rows[middle];
    if (other !== undefined && compareIssues(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** When the clock alone takes this row in or out; what the clock has done already is in `matchesIssueFilter`. */
function clockAfter(row: Issue, filter: IssueFilter, now: number): string | null {
  const at = nextChangeByClock(filter, row);
  return at !== null && Date.parse(at) > now ? at : null;
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
