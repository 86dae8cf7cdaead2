import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatError } from '../offline/labels.ts';
import type { SendNews } from '../offline/queue/use-send-news.ts';
import { toast } from '../ui/feedback/toast.ts';

/**
 * Announces queued commands that were sent or refused: a single sent command with its own sentence, several with their
 * number, and each refused command with its reason.
 * @param saySent shows the sentence of a command that was sent
 */
export function announceSent(news: readonly SendNews[], saySent: (news: SendNews) => void): void {
  const sent = news.filter(({ item }) => item.state === 'received');
  if (sent.length > 1) toast({ title: offlineMessages.sent(sent.length) });
  else for (const one of sent) saySent(one);
  for (const { item } of news) {
    if (item.state !== 'attention') continue;
    // This toast closes by itself; the header keeps showing that a record needs attention, with a link to it.
    const why = item.lastError === null ? '' : ` ${formatError(item.lastError)}`;
    toast({ title: offlineMessages.states.attention, text: `${item.title}.${why}`, tone: 'info' });
  }
}
