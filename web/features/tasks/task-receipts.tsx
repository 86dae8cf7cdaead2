import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { announceSent } from '../../forms/announce-sent.ts';
import { useSendNews } from '../../offline/queue/use-send-news.ts';
import { toastSuccess } from '../../ui/feedback/toast.ts';
import { toastCompleted } from './completion/undo-offer.ts';
import { completionFieldsIn } from './completion-draft.ts';
import { sayTaskUpdated, toastTaskAdded } from './form/use-save-task.ts';
import { completedText } from './task-overlay.ts';
import { useViewTask } from './use-view-task.ts';
import { seenTaskOf } from './waiting-changes.ts';

/** Announces queued commands about tasks as sent or refused: a single command with its own message, several as a count. */
export function TaskReceipts() {
  const view = useViewTask();
  useSendNews('tasks.create', (news) =>
    announceSent(news, ({ item: { receipt }, input }) => {
      const { id, taskNumber } = Object(receipt) as Record<string, unknown>;
      const buildingId: unknown = Reflect.get(Object(input), 'buildingId');
      if (typeof id !== 'string' || typeof taskNumber !== 'string' || typeof buildingId !== 'string') return;
      toastTaskAdded(taskNumber, () => view({ id, buildingId }));
    }),
  );
  useSendNews('tasks.update', (news) =>
    announceSent(news, ({ item, form }) => {
      const task = seenTaskOf({ form });
      if (task === undefined) toastSuccess(item.title);
      else sayTaskUpdated(task.taskNumber, () => view(task));
    }),
  );
  useSendNews('tasks.complete', (news) =>
    announceSent(news, ({ item: { receipt }, form, input }) => {
      const seen = seenTaskOf({ form });
      const text = completedText(
        seen ?? { markedOn: null },
        completionFieldsIn(input).day,
        taskMessages.completed,
      );
      toastCompleted({
        task: seen,
        lineId: Reflect.get(Object(receipt), 'completionId'),
        text,
        toPage: view,
      });
    }),
  );
  return null;
}
