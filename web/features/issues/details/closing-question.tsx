import { Suspense, useCallback, useState } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { isSettled } from '../is-settled.ts';

const ClosingDialog = lazyScreen(() => import('./closing-dialog.tsx'));

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
    <Suspense fallback={null}>
      <ClosingDialog reference={asked.issue.referenceNumber} onReply={reply} />
    </Suspense>
  );
  return { mayClose, question };
}
