import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatDay } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { HistoryList } from '../../../live/history-list.tsx';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { ScheduleField } from '../form/schedule-field.tsx';
import type { TaskActions } from '../task-actions.ts';
import { editTaskPath } from '../task-paths.ts';
import { oneTask, taskHistory } from '../tasks.live.ts';
import { describeTaskHistory } from './describe-task-history.ts';
import { LastCompleted } from './last-completed.tsx';
import { DueDate, frequencyText, TaskNotes, TaskStatusMark } from './task-facts.tsx';
import { TaskRecord } from './task-record.tsx';

type Props = {
  id: string;
  /** Today's date for the organisation. */
  today: string;
  actions: TaskActions;
  onClose: () => void;
};

/** Dialog with the state of one task, its record with the evidence, and its history. */
export default function TaskPanel({ id, today, actions, onClose }: Props) {
  const { data: task, status, error, refetch } = useLiveQuery(oneTask, { id });
  const gone = task === null || wireErrorOf(error)?.code === 'not_found';
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      title={task ? taskName(task) : 'Task'}
      subtitle={task ? `${task.taskNumber} · ${task.buildingName}` : undefined}
    >
      {gone ? (
        <p className="text-ink-2">{taskMessages.gone}</p>
      ) : status === 'error' ? (
        <ErrorState title={messageFor(error, taskMessages.fetchOneFailed)} error={error} onRetry={refetch} />
      ) : task === undefined ? (
        <div className="grid gap-3" aria-busy>
          <p className="text-ink-2">{taskMessages.loadingOne}</p>
          <Skeleton className="h-40" />
        </div>
      ) : (
        <KnownTask task={task} today={today} actions={actions} />
      )}
    </Dialog>
  );
}

const PARTS = [
  { value: 'record', label: 'Record' },
  { value: 'history', label: 'All changes' },
] as const;

function KnownTask({ task, today, actions }: { task: Task; today: string; actions: TaskActions }) {
  const canEdit = usePermissions().can('edit_tasks') && task.retiredAt === null;
  const [part, setPart] = useState<(typeof PARTS)[number]['value']>('record');
  return (
    <div className="grid gap-5 md:grid-cols-[15rem_1fr]">
      <div className="grid content-start gap-3">
        <TaskStatusMark task={task} today={today} />
        <div>
          <TaskNotes task={task} />
        </div>
        <dl className="grid grid-cols-2 gap-3 md:grid-cols-1">
          <Fact name="Due Date">
            <DueDate task={task} today={today} />
          </Fact>
          <Fact name="Covered until">
            {task.coveredUntil === null || !task.isDue ? '—' : formatDay(task.coveredUntil)}
          </Fact>
          <Fact name="Last Completed">
            <LastCompleted task={task} today={today} canEdit={canEdit} actions={actions} />
            {task.completedByName !== null && task.markedOn === null && (
              <span className="block text-ink-2 text-sm">by {task.completedByName}</span>
            )}
          </Fact>
          <Fact name="Responsible">{task.responsiblePerson || '—'}</Fact>
          <Fact name="Frequency">{frequencyText(task)}</Fact>
        </dl>
        {canEdit && task.check === null && <ScheduleField task={task} today={today} actions={actions} />}
        {canEdit && (
          <div>
            <ButtonLink to={editTaskPath(task.id)}>
              <Pencil size={16} aria-hidden />
              Edit
            </ButtonLink>
          </div>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <div>
          <SegmentedControl label="Shown" value={part} options={PARTS} onChange={setPart} />
        </div>
        {part === 'record' ? (
          <TaskRecord task={task} today={today} actions={actions} />
        ) : (
          <HistoryList
            query={taskHistory}
            id={task.id}
            describeHistoryEntry={describeTaskHistory}
            failed={taskMessages.recordFailed}
          />
        )}
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-2 text-sm">{name}</dt>
      <dd className="text-ink tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
