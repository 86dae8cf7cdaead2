import type { ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { useCorrection } from '../../offline/use-correction.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { stageTaskDraft } from './task-draft.ts';

type Props = {
  /** Id of the queued command. */
  id: string;
  children: (item: QueuedCommand) => ReactNode;
};

/** Opens a refused command about a task. The form is rendered once the contents of the command are in a draft. */
export function Correction({ id, children }: Props) {
  const [opened, retry] = useCorrection(id, stageTaskDraft);
  if (typeof opened === 'object') return children(opened);
  if (opened === 'opening') return <Skeleton className="h-96" />;
  if (opened === 'failed') {
    return <ErrorState title={messages.common.error} text={offlineMessages.actionFailed} onRetry={retry} />;
  }
  return (
    <div className="grid gap-1 py-6 text-center">
      <p className="font-medium text-ink">{offlineMessages.editingGone}</p>
      <p className="text-ink-2">{offlineMessages.editingGoneText}</p>
    </div>
  );
}
