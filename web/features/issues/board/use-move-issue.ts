import { useCallback } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import type { IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { tell } from '../../../forms/toasts.ts';
import { useUpdateIssue } from '../use-issues.ts';

/**
 * Returns a function that moves an issue to another status: the card moves at once, and back if the server refuses.
 * @param mayClose asks for confirmation before an issue raised by a check is closed
 */
export function useMoveIssue(
  mayClose: (issue: Issue) => Promise<boolean>,
): (issue: Issue, to: IssueStatus) => void {
  const update = useUpdateIssue();
  return useCallback(
    async (issue, to) => {
      if (issue.status === to) return;
      if (to === 'closed' && issue.source === 'check' && !(await mayClose(issue))) return;
      const moved = update(issue, { status: { from: issue.status, to } }, { status: to });
      await tell(moved, { failure: messages.issues.updateFailed });
    },
    [update, mayClose],
  );
}
