import { useCallback } from 'react';
import type { Issue, UpdateIssueInput } from '#shared/features/issues/issues.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { editOverlay, type IssuePatch } from './edit-overlay.ts';
import { ownChanges } from './own-changes.ts';

export type IssueChanges = UpdateIssueInput['changes'];

/**
 * Returns a function that saves edited fields, each with the value that the person saw before, and shows them at once.
 */
export function useUpdateIssue() {
  const { mutate } = useLiveMutation();
  return useCallback(
    (issue: Issue, changes: IssueChanges, patch: IssuePatch) => {
      ownChanges.add(issue.id);
      const now = presentInstant();
      return mutate({
        input: { id: issue.id, changes },
        overlay: { entity: 'issue', id: issue.id, base: issue, patch: editOverlay(issue, patch, now) },
        send: (input, { signal }) => api.issues.update.mutate(input, { signal }),
      });
    },
    [mutate],
  );
}
