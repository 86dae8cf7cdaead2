import { Suspense, useState } from 'react';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { useLoadOffline } from '../../../offline/offline-context.tsx';
import type { QueuedCommand } from '../../../offline/types.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { completionDraftKeys } from '../completion-draft.ts';
import { CompletionForm } from './completion-form.tsx';
import { useCompleteTask } from './use-complete-task.ts';

type Props = {
  task: Task;
  /** The preselected day; today if absent. */
  day?: string | undefined;
  /** Photos that were taken before the dialog opened. */
  files?: readonly File[] | undefined;
  /** The refused completion being corrected. */
  edits?: QueuedCommand | undefined;
  onClose: () => void;
};

/** Completes the present occurrence of a task on a chosen day, with notes and photos. */
export function CompletionDialog({ task, day, files, edits, onClose }: Props) {
  // The task as it was when the dialog opened: if another person changes the task in the meantime, the dialog asks for
  // confirmation before it completes the task.
  const [seen] = useState(task);
  const loadOffline = useLoadOffline();
  const { question, ...commands } = useCompleteTask();

  function close() {
    // The dialog has already asked for confirmation. A correction's draft stays until its command is sent or discarded.
    if (edits === undefined) {
      void loadOffline().then(({ drafts }) => drafts.clear(completionDraftKeys(seen, edits).draftKey));
    }
    onClose();
  }

  return (
    <Dialog
      open
      onClose={close}
      title={taskMessages.completionTitle}
      subtitle={`${seen.taskNumber} ${taskName(seen)}`}
      size="sm"
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        <CompletionForm task={seen} day={day} files={files} {...commands} edits={edits} onDone={onClose} />
      </Suspense>
      {/* Nested, because two sibling dialogs would close each other. */}
      {question}
    </Dialog>
  );
}
