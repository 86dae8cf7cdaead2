import { lazy, Suspense } from 'react';
import type { TaskDialog } from './task-actions.ts';
import type { useTaskCommands } from './use-task-commands.ts';

const CompletionDialog = lazy(async () => ({
  default: (await import('./completion/completion-dialog.tsx')).CompletionDialog,
}));
const ReasonDialog = lazy(() => import('./reason-dialog.tsx'));
const ContestedDialog = lazy(() => import('./contested-dialog.tsx'));

type Props = Pick<ReturnType<typeof useTaskCommands>, 'question' | 'contested' | 'decide'> & {
  dialog: TaskDialog | undefined;
  /** Today's date for the organisation; empty until it is known. */
  today: string;
  onClose: () => void;
};

/** The dialogs about one task, and the questions asked by its commands. */
export function TaskDialogs({ dialog, today, onClose, question, contested, decide }: Props) {
  return (
    <Suspense fallback={null}>
      {dialog?.what === 'complete' && (
        <CompletionDialog task={dialog.task} day={dialog.day} files={dialog.files} onClose={onClose} />
      )}
      {dialog !== undefined && dialog.what !== 'complete' && (
        <ReasonDialog dialog={dialog} today={today} onClose={onClose} />
      )}
      {contested !== undefined && <ContestedDialog {...contested} onDecide={decide} />}
      {question}
    </Suspense>
  );
}
