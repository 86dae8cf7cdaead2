import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '#shared/dates.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Unbroken } from '../../../ui/unbroken.tsx';
import { CompletionCertificates } from '../../documents/certificates/completion-certificates.tsx';
import { useTaskCertificates } from '../../documents/certificates/use-task-certificates.ts';
import { CompletionPhotos } from '../../photos/completion-photos.tsx';
import { PhotoStrip } from '../../photos/photo-strip.tsx';
import type { TaskActions } from '../task-actions.ts';
import { taskRecord } from '../tasks.live.ts';
import { describeLine, isUndoable, undoneIn } from './describe-task-record.ts';

/** Number of lines at first, and added with each click. Limited, because each completion fetches its photos. */
const FIRST = 20;
const MORE = 50;

type Props = {
  task: Task;
  /** Today's date for the organisation. */
  today: string;
  actions: TaskActions;
};

/** The lines of a task's record, newest first. Lines are never removed; undone lines are struck through. */
export function TaskRecord({ task, today, actions }: Props) {
  const { data: lines, status, error, refetch } = useLiveQuery(taskRecord, { id: task.id });
  const proofs = useTaskCertificates(task.id);
  const mayEdit = usePermissions().can('edit_tasks');
  const mayUndo = mayEdit && task.retiredAt === null && task.check === null;
  const [shown, setShown] = useState(FIRST);
  if (status === 'error') {
    return (
      <ErrorState title={messageFor(error, taskMessages.recordFailed)} error={error} onRetry={refetch} />
    );
  }
  if (lines === undefined) return <Skeleton className="h-32" />;
  const undone = undoneIn(lines);
  const newestFirst = lines.toReversed();
  return (
    <>
      {proofs.status === 'error' && (
        <ErrorState
          title={messageFor(proofs.error, certificateMessages.fetchFailed)}
          error={proofs.error}
          onRetry={proofs.refetch}
        />
      )}
      <ol className="grid gap-3">
        {newestFirst.slice(0, shown).map((line) => {
          const { text, detail } = describeLine(line, lines);
          const isUndone = undone.has(line.id);
          return (
            <li key={line.id} className="grid gap-1 border-line border-l-2 pl-3">
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <p
                  className={cx(
                    'min-w-0 font-medium [overflow-wrap:anywhere]',
                    isUndone ? 'text-ink-2 line-through' : 'text-ink',
                  )}
                >
                  <Unbroken text={text} />
                </p>
                {isUndone && <Badge>Undone</Badge>}
                {mayUndo && !isUndone && isUndoable(line) && (
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label={`Undo: ${text}`}
                    onClick={() =>
                      actions.open({
                        what: 'undo',
                        task,
                        lineId: line.id,
                        of: line.kind === 'marked' ? 'mark' : 'completion',
                      })
                    }
                  >
                    <Undo2 size={14} aria-hidden />
                    Undo…
                  </Button>
                )}
              </div>
              {detail !== null && (
                <p className="whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
                  <Unbroken text={detail} />
                </p>
              )}
              <p className="text-ink-3 text-xs">
                {line.byName} · <time dateTime={line.recordedAt}>{formatDateTime(line.recordedAt)}</time>
              </p>
              {line.id === task.completionId ? (
                <CompletionPhotos completionId={line.id} name={task.taskNumber} />
              ) : (
                line.kind === 'completed' && (
                  <PhotoStrip place={{ on: 'completion', onId: line.id }} of={task.taskNumber} />
                )
              )}
              {line.kind === 'completed' && (
                <CompletionCertificates
                  buildingId={task.buildingId}
                  completionId={line.id}
                  completion={text}
                  certificates={proofs.certificates}
                  today={today}
                  mayAttach={mayEdit && !isUndone}
                />
              )}
            </li>
          );
        })}
      </ol>
      {newestFirst.length > shown && (
        <Button size="sm" className="justify-self-start" onClick={() => setShown(shown + MORE)}>
          Earlier lines
        </Button>
      )}
    </>
  );
}
