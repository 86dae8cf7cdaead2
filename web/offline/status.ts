import type { QueueCounts, QueuedCommand } from './types.ts';

/** Counts commands and attachments by state: see {@link QueueCounts}. */
export function countItems(items: readonly QueuedCommand[]): QueueCounts {
  const counts = { waiting: 0, sending: 0, attention: 0, attachments: 0, bytes: 0 };
  for (const { state, attachments, bytes } of items) {
    if (state !== 'received') {
      counts.waiting += 1;
      counts.bytes += bytes;
    }
    if (state === 'sending') counts.sending += 1;
    if (state === 'attention' || attachments.some((one) => one.state === 'attention')) counts.attention += 1;
    if (state !== 'received') continue;
    for (const one of attachments) {
      if (one.state === 'received') continue;
      counts.bytes += one.bytes;
      if (one.state !== 'attention') counts.attachments += 1;
    }
  }
  return counts;
}

/** The time at which the oldest command was saved that has not reached the server. */
export function oldestWaiting(items: readonly QueuedCommand[]): string | null {
  return items.find(({ state }) => state !== 'received')?.createdAt ?? null;
}
