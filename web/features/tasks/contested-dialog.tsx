import { formatDay } from '#shared/dates.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { lastCompletedText } from './record/task-facts.tsx';
import type { ContestedChange } from './use-task-commands.ts';

type Props = ContestedChange & { onDecide: (wants: boolean) => void };

/** Asks whether to change a date that another person has changed in the meantime, and shows the present date. */
export default function ContestedDialog({ task, change, onDecide }: Props) {
  const day = formatDay(change.day);
  const isSchedule = change.what === 'schedule';
  const retired = task.retiredAt !== null;
  return (
    <ConfirmDialog
      title={isSchedule ? `Schedule ${task.taskNumber}?` : `Correct ${task.taskNumber}?`}
      subtitle={taskName(task)}
      action={isSchedule ? taskMessages.scheduleAnyway(day) : taskMessages.correctAnyway(day)}
      variant="secondary"
      disabled={retired}
      cancel={taskMessages.leaveAsIs}
      onConfirm={() => onDecide(true)}
      onClose={() => onDecide(false)}
    >
      <p className="text-ink-2">{retired ? taskMessages.retired : taskMessages.changedSince}</p>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">
        <dt className="text-ink-2">Due date</dt>
        <dd className="text-ink">{formatDay(task.due)}</dd>
        {!isSchedule && (
          <>
            <dt className="text-ink-2">Last completed</dt>
            <dd className="text-ink">{lastCompletedText(task)}</dd>
          </>
        )}
      </dl>
    </ConfirmDialog>
  );
}
