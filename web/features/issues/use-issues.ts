import { useCallback, useRef } from 'react';
import type { Issue, IssueFilter, UpdateIssueInput } from '#shared/features/issues.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { fetchFurtherIssues, issueList } from './issues.live.ts';
import { ownChanges } from './own-changes.ts';

/** A list with its further pages. */
export function useIssueList(filter: IssueFilter, enabled = true) {
  const { data, status, error, refetch, loadMore } = useLiveQuery(issueList, filter, { enabled });
  const asked = useRef(false);
  const page = useRef(data);
  page.current = data;
  const onMore = useCallback(() => {
    const held = page.current;
    if (asked.current || held === undefined || held.nextCursor === null) return;
    asked.current = true;
    void loadMore(() => fetchFurtherIssues(filter, held)).then(
      () => {
        asked.current = false;
      },
      () => {
        // The next scroll asks again; a moment's pause keeps a server that is down from being asked at every frame.
        setTimeout(() => {
          asked.current = false;
        }, 2_000);
      },
    );
  }, [filter, loadMore]);
  return {
    rows: data?.rows ?? NO_ROWS,
    hasMore: data !== undefined && data.nextCursor !== null,
    status,
    error,
    refetch,
    onMore,
  };
}
const NO_ROWS: readonly Issue[] = [];

/** What may be wished for: the fields of an edit, and the name that goes with an assignee. */
export type IssuePatch = Partial<
  Pick<
    Issue,
    'title' | 'description' | 'status' | 'priority' | 'assignedTo' | 'assignedToName' | 'pauseReason'
  >
>;
export type IssueChanges = UpdateIssueInput['changes'];

/** Saves touched fields, each with the value that the person saw; shows them at once. */
export function useUpdateIssue(onUncertain?: () => void) {
  const { mutate } = useLiveMutation();
  return useCallback(
    (issue: Issue, changes: IssueChanges, patch: IssuePatch) => {
      ownChanges.add(issue.id);
      return mutate({
        input: { id: issue.id, changes },
        overlay: { entity: 'issue', id: issue.id, base: issue, patch: withDerived(issue, patch) },
        send: (input, { signal }) => api.issues.update.mutate(input, { signal }),
        onUncertain,
      });
    },
    [mutate, onUncertain],
  );
}

/** What the server will derive from the wish, so that the card does not change twice. */
function withDerived(issue: Issue, patch: IssuePatch): Partial<Issue> {
  const now = new Date().toISOString();
  const derived: Partial<Issue> = { ...patch, updatedAt: now };
  if (patch.status !== undefined && patch.status !== issue.status) {
    const done = patch.status === 'resolved' || patch.status === 'closed';
    derived.resolvedAt = done ? (issue.resolvedAt ?? now) : null;
    if (issue.status === 'open') derived.respondedAt = issue.respondedAt ?? now;
  }
  if (patch.pauseReason !== undefined)
    derived.pausedAt = patch.pauseReason === null ? null : (issue.pausedAt ?? now);
  if (patch.assignedTo !== undefined && patch.assignedTo !== null)
    derived.respondedAt = issue.respondedAt ?? now;
  return derived;
}
