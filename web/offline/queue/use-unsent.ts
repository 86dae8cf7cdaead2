import { useSyncExternalStore } from 'react';
import { useOfflineIfUsed } from '../offline-context.tsx';
import type { QueueCounts } from '../types.ts';

const NONE: QueueCounts = { waiting: 0, sending: 0, attention: 0, attachments: 0, bytes: 0 };
const noSubscription = () => () => undefined;

/**
 * The number of unsent commands of the signed-in person; zeros where the offline storage is not used (a page outside the
 * shell).
 */
export function useUnsent(): QueueCounts {
  const sendQueue = useOfflineIfUsed()?.sendQueue;
  return useSyncExternalStore(
    sendQueue?.subscribe ?? noSubscription,
    () => sendQueue?.status().counts ?? NONE,
  );
}
