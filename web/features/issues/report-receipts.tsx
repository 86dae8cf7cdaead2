import { useEffect, useRef } from 'react';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import type { OutboxItem, OutboxState } from '../../offline/types.ts';
import { useOutbox } from '../../offline/use-outbox.ts';
import { errorInWords } from '../../offline/words.ts';
import { toast } from '../../ui/toast.ts';
import { sayDone } from './say.ts';

/** Says what became of a report that waited on this device: its reference, or why it was not taken. */
export function ReportReceipts() {
  const { items } = useOutbox();
  const seen = useRef(new Map<string, OutboxState>());

  useEffect(() => {
    for (const item of items) {
      if (item.command !== 'issues.create') continue;
      const before = seen.current.get(item.id);
      seen.current.set(item.id, item.state);
      // What was so when the page was opened is no news.
      if (before !== undefined && before !== item.state) say(item);
    }
  }, [items]);
  return null;
}

function say({ state, receipt, title, lastError }: OutboxItem): void {
  if (state === 'attention') {
    // It leaves by itself: the header goes on saying that something needs attention, and leads to it.
    const why = lastError === null ? '' : ` ${errorInWords(lastError)}`;
    toast({ title: offlineMessages.states.attention, text: `${title}.${why}` });
  }
  if (state !== 'received') return;
  const reference: unknown = Reflect.get(Object(receipt), 'referenceNumber');
  sayDone(typeof reference === 'string' ? messages.issues.created(reference) : messages.issues.reported);
}
