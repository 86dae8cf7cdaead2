import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';

export type BoardColumns = Readonly<Record<IssueStatus, readonly Issue[]>>;

/**
 * Computes the board while the pointer is over it: cards keep their places, with their newest content, until the
 * pointer leaves. The person's own changes and reports show at once, and so do rows loaded at the end of a column,
 * because nothing moves for them.
 * @param own the signed-in person, and the issues changed in this window
 * @returns the columns to show, and the number of changes held back in each
 */
export function freezeColumns(
  shown: BoardColumns,
  live: BoardColumns,
  own: { me: string; changed: Pick<ReadonlySet<string>, 'has'> },
): { columns: BoardColumns; waiting: Record<IssueStatus, number> } {
  const liveRows = new Map<string, Issue>();
  for (const status of ISSUE_STATUSES) for (const row of live[status]) liveRows.set(row.id, row);
  const shownIds = new Set<string>();
  for (const status of ISSUE_STATUSES) for (const row of shown[status]) shownIds.add(row.id);

  const waiting = { open: 0, in_progress: 0, resolved: 0, closed: 0 };
  const columns: Record<IssueStatus, readonly Issue[]> = {
    open: [],
    in_progress: [],
    resolved: [],
    closed: [],
  };
  for (const status of ISSUE_STATUSES) {
    const here = new Set(live[status].map((row) => row.id));
    const before = new Set(shown[status].map((row) => row.id));
    const kept: Issue[] = [];
    for (const row of shown[status]) {
      const newest = liveRows.get(row.id);
      if (own.changed.has(row.id) && !here.has(row.id)) continue;
      kept.push(newest ?? row);
    }
    const last = shown[status].at(-1);
    const entering: Issue[] = [];
    for (const row of live[status]) {
      if (own.changed.has(row.id)) {
        if (!before.has(row.id)) entering.push(row);
      } else if (!shownIds.has(row.id)) {
        if (row.reportedBy === own.me || last === undefined || isOlder(row, last)) entering.push(row);
        else waiting[status] += 1;
      } else if (!before.has(row.id)) {
        waiting[status] += 1;
      }
    }
    columns[status] = entering.length === 0 ? kept : [...kept, ...entering].sort(newestFirst);
  }
  return { columns, waiting };
}

/** Returns whether both contain identical rows in the same order. */
export function sameColumns(a: BoardColumns, b: BoardColumns): boolean {
  return ISSUE_STATUSES.every(
    (status) =>
      a[status] === b[status] ||
      (a[status].length === b[status].length && a[status].every((row, index) => row === b[status][index])),
  );
}

function isOlder(row: Issue, than: Issue): boolean {
  return row.createdAt < than.createdAt || (row.createdAt === than.createdAt && row.id < than.id);
}

function newestFirst(a: Issue, b: Issue): number {
  return isOlder(a, b) ? 1 : -1;
}
