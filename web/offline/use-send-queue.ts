import { useCallback, useSyncExternalStore } from 'react';
import type { OfflineCommand, OfflineInput } from '#shared/offline.ts';
import { useOffline } from './offline-context.tsx';
import type { NewEntry, QueuedCommand, QueueStatus } from './types.ts';

/** An entry of a command that may be done with no connection. */
export type EntryOf<C extends OfflineCommand> = Omit<NewEntry, 'command' | 'input'> & {
  command: C;
  /** Without the operation id, which is the entry's own. */
  input: OfflineInput<C>;
};

export type UseSendQueue = {
  /** Oldest first: what waits, and what was received in the last day. */
  items: readonly QueuedCommand[];
  status: QueueStatus;
  counts: QueueStatus['counts'];
  /** Keeps it on this device; rejects with an OfflineError, and then nothing of it is kept (rule O1). */
  enqueue: <C extends OfflineCommand>(entry: EntryOf<C>) => Promise<QueuedCommand>;
  sendNow: () => Promise<void>;
  retry: (id: string) => Promise<void>;
  /** Only after asking. False where it is being sent at this moment. */
  discard: (id: string) => Promise<boolean>;
};

/** The person's own entries on this device, as they change here or in another tab. */
export function useSendQueue(): UseSendQueue {
  const offline = useOffline();
  const { outbox } = offline;
  const items = useSyncExternalStore(outbox.subscribe, outbox.items, outbox.items);
  const status = useSyncExternalStore(outbox.subscribe, outbox.status, outbox.status);
  const enqueue = useCallback(
    <C extends OfflineCommand>(entry: EntryOf<C>) => offline.enqueue(entry),
    [offline],
  );
  const sendNow = useCallback(() => outbox.sendNow(), [outbox]);
  const retry = useCallback((id: string) => outbox.retry(id), [outbox]);
  const discard = useCallback((id: string) => outbox.discard(id), [outbox]);
  return { items, status, counts: status.counts, enqueue, sendNow, retry, discard };
}
