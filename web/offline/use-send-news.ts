import { useEffect, useRef } from 'react';
import type { OfflineCommand } from '#shared/offline.ts';
import type { QueuedCommand, QueuedState } from './types.ts';
import { useSendQueue } from './use-send-queue.ts';

/** An entry that was received or refused, with its input: of a received one the entry itself keeps that no longer. */
export type SendNews = { item: QueuedCommand; input: unknown };

/**
 * Tells what became of the entries of a command since this page was opened. Those of one go of the queue are told
 * together, once it stands still: everything has been sent, or what is left waits.
 */
export function useSendNews(command: OfflineCommand, tell: (news: readonly SendNews[]) => unknown): void {
  const { items, status } = useSendQueue();
  const seen = useRef(new Map<string, { state: QueuedState; input: unknown }>());
  const news = useRef(new Map<string, SendNews>());
  const told = useRef(tell);
  told.current = tell;
  const waits = status.wait !== null;

  useEffect(() => {
    for (const item of items) {
      if (item.command !== command) continue;
      const before = seen.current.get(item.id);
      const input = item.input ?? before?.input;
      seen.current.set(item.id, { state: item.state, input });
      // What was so when the page was opened is no news.
      if (before === undefined || before.state === item.state) continue;
      if (item.state === 'received' || item.state === 'attention') news.current.set(item.id, { item, input });
      else news.current.delete(item.id);
    }
    const underWay = items.some(({ state }) => state === 'sending' || (state === 'saved' && !waits));
    if (news.current.size === 0 || underWay) return;
    const all = [...news.current.values()];
    news.current.clear();
    told.current(all);
  }, [items, waits, command]);
}
