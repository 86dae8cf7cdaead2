import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { Issue } from '#shared/features/issues.ts';
import { messages } from '#shared/messages.ts';
import { api } from '../../lib/trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

type Asked = { issue: Issue; answer: (close: boolean) => void };

/**
 * Returns whether the failed check that raised the issue has passed a retest. True as well when the server cannot be
 * asked, so that closing is not blocked.
 */
async function isSettled(issue: Issue): Promise<boolean> {
  if (issue.source !== 'check') return true;
  try {
    return (await api.checks.ofIssue.query({ issueId: issue.id })).data.settled;
  } catch {
    return true;
  }
}

/** Asks for confirmation before closing an issue raised by a failed check without a passed retest (ruling I2). */
export function useClosingQuestion() {
  const [asked, setAsked] = useState<Asked>();
  const mayClose = useCallback(async (issue: Issue): Promise<boolean> => {
    if (await isSettled(issue)) return true;
    return new Promise((answer) => setAsked({ issue, answer }));
  }, []);
  function reply(close: boolean) {
    asked?.answer(close);
    setAsked(undefined);
  }
  const question = asked !== undefined && (
    <ConfirmDialog
      title={`Close ${asked.issue.referenceNumber}?`}
      action="Close issue"
      variant="primary"
      cancel="Keep it open"
      onConfirm={() => reply(true)}
      onClose={() => reply(false)}
    >
      <p className="text-ink-2">{messages.issues.noRetest(asked.issue.referenceNumber)}</p>
    </ConfirmDialog>
  );
  return { mayClose, question };
}

/** The same warning inside the form, under the selected status. */
export function ClosingNotice({ issue }: { issue: Issue }) {
  const { data: settled } = useQuery({
    queryKey: ['checks.ofIssue', issue.id],
    queryFn: () => isSettled(issue),
    enabled: issue.source === 'check',
    // A retest may have been recorded since the last query.
    staleTime: 0,
  });
  if (settled !== false) return null;
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-control bg-due-soft px-3 py-2 font-medium text-due"
    >
      <TriangleAlert size={16} className="mt-0.5" aria-hidden />
      {messages.issues.noRetest(issue.referenceNumber)}
    </p>
  );
}
