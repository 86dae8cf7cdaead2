import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatError } from '../../offline/labels.ts';
import { type SendNews, useSendNews } from '../../offline/queue/use-send-news.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { toast, toastSuccess } from '../../ui/feedback/toast.ts';
import { completionFieldsIn } from './completion-draft.ts';
import { sayTaskUpdated, toastTaskAdded, useViewTask } from './form/use-save-task.ts';
import { completedText } from './task-overlay.ts';
import { seenTaskOf } from './waiting-changes.ts';

/** Announces queued commands about tasks as sent or refused: a single one by its sentence, several as a count. */
export function TaskReceipts() {
  const view = useViewTask();
  useSendNews('tasks.create', (news) =>
    sayAll(news, ({ item: { receipt }, input }) => {
      const { id, taskNumber } = Object(receipt) as Record<string, unknown>;
      const buildingId: unknown = Reflect.get(Object(input), 'buildingId');
      if (typeof id !== 'string' || typeof taskNumber !== 'string' || typeof buildingId !== 'string') return;
      toastTaskAdded(taskNumber, () => view({ id, buildingId }));
    }),
  );
  useSendNews('tasks.update', (news) =>
    sayAll(news, ({ item, form }) => {
      const task = seenTaskOf({ form });
      if (task === undefined) toastSuccess(item.title);
      else sayTaskUpdated(task.taskNumber, () => view(task));
    }),
  );
  useSendNews('tasks.complete', (news) =>
    sayAll(news, ({ form, input }) => {
      const seen = seenTaskOf({ form });
      const text = completedText(
        seen ?? { markedOn: null },
        completionFieldsIn(input).day,
        taskMessages.completed,
      );
      toastSuccess(text, { about: seen?.taskNumber });
    }),
  );
  return null;
}

function sayAll(news: readonly SendNews[], saySent: (news: SendNews) => void): void {
  const sent = news.filter(({ item }) => item.state === 'received');
  if (sent.length > 1) toast({ title: offlineMessages.sent(sent.length) });
  else for (const one of sent) saySent(one);
  for (const { item } of news) if (item.state === 'attention') sayRefused(item);
}

function sayRefused({ title, lastError }: QueuedCommand): void {
  // This toast closes by itself; the header keeps showing that a record needs attention, with a link to it.
  const why = lastError === null ? '' : ` ${formatError(lastError)}`;
  toast({ title: offlineMessages.states.attention, text: `${title}.${why}`, tone: 'info' });
}
