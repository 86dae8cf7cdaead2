import { taskMessages } from '#shared/features/tasks-messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { formatError } from '../../offline/labels.ts';
import { type SendNews, useSendNews } from '../../offline/use-send-news.ts';
import { toast, toastSuccess } from '../../ui/toast.ts';

/** Announces queued commands about tasks as sent or refused: a single one by its sentence, several as a count. */
export function TaskReceipts() {
  useSendNews('tasks.complete', (news) => sayAll(news, taskMessages.completed));
  return null;
}

function sayAll(news: readonly SendNews[], success: string): void {
  const sent = news.filter(({ item }) => item.state === 'received').length;
  if (sent === 1) toastSuccess(success);
  if (sent > 1) toast({ title: offlineMessages.sent(sent) });
  for (const { item } of news) {
    if (item.state !== 'attention') continue;
    // This toast closes by itself; the header keeps showing that a record needs attention, with a link to it.
    const why = item.lastError === null ? '' : ` ${formatError(item.lastError)}`;
    toast({ title: offlineMessages.states.attention, text: `${item.title}.${why}` });
  }
}
