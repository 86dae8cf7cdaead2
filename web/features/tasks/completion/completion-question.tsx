import { formatDay } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';

type Props = {
  /** The task as it is now. */
  task: Task;
  /** The chosen day of the completion. */
  day: string;
  onAnswer: (complete: boolean) => void;
};

/** Asks whether to complete a task that has changed since the person saw it, and shows its current state (ruling T25). */
export function CompletionQuestion({ task, day, onAnswer }: Props) {
  const title = `Complete ${task.taskNumber}?`;
  const leave = () => onAnswer(false);
  if (task.retiredAt !== null) {
    return (
      <Dialog open onClose={leave} title={title} size="sm">
        <p className="text-ink-2">{taskMessages.retired}</p>
        <DialogActions>
          <Button variant="primary" onClick={leave}>
            {taskMessages.leaveAsIs}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={title}
      action={taskMessages.completeAnyway(formatDay(day))}
      variant="secondary"
      cancel={taskMessages.leaveAsIs}
      onConfirm={() => onAnswer(true)}
      onClose={leave}
    >
      <p className="text-ink-2">{taskMessages.changedSince}</p>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">
        {factsOf(task).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="text-ink [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  );
}

function factsOf({ due, completedOn, completedByName, markedOn }: Task): [string, string][] {
  const completed =
    completedOn === null
      ? 'Never'
      : [formatDay(completedOn), ...(completedByName === null ? [] : [`by ${completedByName}`])].join(' ');
  return [
    ['Due date', formatDay(due)],
    ['Last completed', completed],
    ...(markedOn === null ? [] : [['Marked non-compliant', formatDay(markedOn)] as [string, string]]),
  ];
}
