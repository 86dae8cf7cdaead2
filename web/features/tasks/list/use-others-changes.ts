import { useCallback, useLayoutEffect, useRef } from 'react';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import type { LivePut } from '#shared/live/live.ts';
import { useNews } from '../../../live/hooks/use-news.ts';
import { toast } from '../../../ui/feedback/toast.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  'tasks.complete': taskMessages.completedByOther,
  'tasks.schedule': taskMessages.scheduledByOther,
  'tasks.mark': taskMessages.marked,
};

/**
 * Shows toasts about other people's commands on the tasks on the screen (rulings T10 and T35).
 * @param shown the ids of the tasks on the screen
 */
export function useOthersChanges(shown: ReadonlySet<string>): void {
  const latest = useRef(shown);
  useLayoutEffect(() => {
    latest.current = shown;
  });
  const onNews = useCallback(({ command, entityId, row }: LivePut<'task'>) => {
    const title = SENTENCES[command];
    if (title === undefined || !latest.current.has(entityId)) return;
    toast({ title, text: `${row.taskNumber} ${taskName(row)}`, tone: 'info' });
  }, []);
  useNews('task', onNews);
}
