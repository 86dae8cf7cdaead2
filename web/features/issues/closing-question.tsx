import { useCallback, useState } from 'react';
import type { Issue } from '#shared/features/issues.ts';
import { messages } from '#shared/messages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { isSettled } from './is-settled.ts';

type Asked = { issue: Issue; answer: (close: boolean) => void };

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
