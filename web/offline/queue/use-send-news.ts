import { useEffect, useRef } from 'react';
import type { OfflineCommand } from '#shared/offline.ts';
import type { CommandForm, QueuedCommand, QueuedState } from '../types.ts';
import { useSendQueue } from './use-send-queue.ts';

/** A command that was received or refused, with its input and form, which a received command itself no longer has. */
export type SendNews = { item: QueuedCommand; input: unknown; form: CommandForm | null };

/**
 * Reports the outcomes of queued commands of one kind since this page was opened. The outcomes of one run of the queue
 * are reported together, when the queue stops: everything has been sent, or the rest waits.
 */
export function useSendNews(command: OfflineCommand, tell: (news: readonly SendNews[]) => unknown): void {
  const { items, status } = useSendQueue();
  const seen = useRef(new Map<string, Omit<SendNews, 'item'> & { state: QueuedState }>());
  const news = useRef(new Map<string, SendNews>());
  const told = useRef(tell);
  told.current = tell;
  const waits = status.wait !== null;

  useEffect(() => {
    for (const item of items) {
      if (item.command !== command) continue;
      const before = seen.current.get(item.id);
      const input = item.input ?? before?.input;
      const form = item.form ?? before?.form ?? null;
      seen.current.set(item.id, { state: item.state, input, form });
      // States from before the page was opened are not reported.
      if (before === undefined || before.state === item.state) continue;
      if (item.state === 'received' || item.state === 'attention')
        news.current.set(item.id, { item, input, form });
      else news.current.delete(item.id);
    }
    const underWay = items.some(({ state }) => state === 'sending' || (state === 'saved' && !waits));
    if (news.current.size === 0 || underWay) return;
    const all = [...news.current.values()];
    news.current.clear();
    told.current(all);
  }, [items, waits, command]);
}
