import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatError } from '../../../offline/labels.ts';
import { type SendNews, useSendNews } from '../../../offline/queue/use-send-news.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { toast, toastSuccess } from '../../../ui/feedback/toast.ts';

/** Announces queued reports as sent or refused: a single one with its reference number, several as a count. */
export function ReportReceipts() {
  useSendNews('issues.create', sayAll);
  return null;
}

function sayAll(news: readonly SendNews[]): void {
  const sent = news.filter(({ item }) => item.state === 'received').length;
  if (sent > 1) toast({ title: offlineMessages.sent(sent) });
  for (const { item } of news) if (sent <= 1 || item.state === 'attention') say(item);
}

function say({ state, receipt, title, lastError }: QueuedCommand): void {
  if (state === 'attention') {
    // This toast closes by itself; the header keeps showing that a record needs attention, with a link to it.
    const why = lastError === null ? '' : ` ${formatError(lastError)}`;
    toast({ title: offlineMessages.states.attention, text: `${title}.${why}`, tone: 'info' });
  }
  if (state !== 'received') return;
  const reference: unknown = Reflect.get(Object(receipt), 'referenceNumber');
  toastSuccess(typeof reference === 'string' ? messages.issues.created(reference) : messages.issues.reported);
}
