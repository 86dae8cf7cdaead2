import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { useCorrection } from '../../../offline/use-correction.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { stageCompletionDraft } from '../completion-draft.ts';
import { oneTask } from '../tasks.live.ts';
import { seenTaskOf } from '../waiting-changes.ts';
import { CompletionDialog } from './completion-dialog.tsx';

/** Dialog, on the Sync page, with the refused completion named in the URL. */
export function CompletionCorrection() {
  const [params, setParams] = useSearchParams();
  const [taskId, itemId] = [params.get('complete'), params.get('edit')];
  if (taskId === null || itemId === null) return null;
  return <Opened key={itemId} taskId={taskId} itemId={itemId} onClose={() => setParams({})} />;
}

type Props = { taskId: string; itemId: string; onClose: () => void };

function Opened({ taskId, itemId, onClose }: Props) {
  const [opened, retry] = useCorrection(itemId, stageCompletionDraft);
  if (typeof opened === 'object') return <OfTask taskId={taskId} item={opened} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={taskMessages.completionTitle} size="sm">
      {opened === 'opening' ? (
        <Skeleton className="h-80" />
      ) : opened === 'failed' ? (
        <ErrorState title={messages.common.error} text={offlineMessages.actionFailed} onRetry={retry} />
      ) : (
        <>
          <p className="font-medium text-ink">{offlineMessages.editingGone}</p>
          <p className="text-ink-2">{offlineMessages.editingGoneText}</p>
        </>
      )}
    </Dialog>
  );
}

/** Corrects the completion of the current task or, if the server does not answer, of the task as the person saw it. */
function OfTask({ taskId, item, onClose }: Omit<Props, 'itemId'> & { item: QueuedCommand }) {
  const live = useLiveQuery(oneTask, { id: taskId });
  const [kept] = useState(() => seenTaskOf(item));
  const { value: task, isSettled } = useServerOrCopy<Task | null>(live, live.data, {
    state: kept === undefined ? 'none' : 'kept',
    value: kept,
    keptAt: item.createdAt,
  });
  if (task != null && isSettled) return <CompletionDialog task={task} edits={item} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={taskMessages.completionTitle} size="sm">
      {isSettled ? <p className="text-ink-2">{taskMessages.gone}</p> : <Skeleton className="h-80" />}
    </Dialog>
  );
}
