import { useCallback, useSyncExternalStore } from 'react';
import type { OfflineCommand, OfflineInput } from '#shared/offline.ts';
import { useOffline } from '../offline-context.tsx';
import type { NewCommand, QueuedCommand, QueueStatus } from '../types.ts';

/** A queued command whose input is typed for a command that may be used without a connection. */
export type CommandOf<C extends OfflineCommand> = Omit<NewCommand, 'command' | 'input'> & {
  command: C;
  /** Without the operation id, which is the command's own id. */
  input: OfflineInput<C>;
};

export type UseSendQueue = {
  /** Oldest first: commands that wait, and those received in the last day. */
  items: readonly QueuedCommand[];
  status: QueueStatus;
  counts: QueueStatus['counts'];
  /**
   * Stores a command on this device. Rejects with an OfflineError if it could not be stored; then no part of it is stored
   * (rule O1).
   */
  enqueue: <C extends OfflineCommand>(newCommand: CommandOf<C>) => Promise<QueuedCommand>;
  sendNow: () => Promise<void>;
  retry: (id: string) => Promise<void>;
  /** Discards a command; call it only after asking. False if it is being sent at this moment. */
  discard: (id: string) => Promise<boolean>;
};

/** The person's commands on this device, updated by changes here and in other tabs. */
export function useSendQueue(): UseSendQueue {
  const offline = useOffline();
  const { sendQueue } = offline;
  const items = useSyncExternalStore(sendQueue.subscribe, sendQueue.items, sendQueue.items);
  const status = useSyncExternalStore(sendQueue.subscribe, sendQueue.status, sendQueue.status);
  const enqueue = useCallback(
    <C extends OfflineCommand>(newCommand: CommandOf<C>) => offline.enqueue(newCommand),
    [offline],
  );
  const sendNow = useCallback(() => sendQueue.sendNow(), [sendQueue]);
  const retry = useCallback((id: string) => sendQueue.retry(id), [sendQueue]);
  const discard = useCallback((id: string) => sendQueue.discard(id), [sendQueue]);
  return { items, status, counts: status.counts, enqueue, sendNow, retry, discard };
}
