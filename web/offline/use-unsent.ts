import { useSyncExternalStore } from 'react';
import { useOfflineIfUsed } from './offline-context.tsx';
import type { QueueCounts } from './types.ts';

const NONE: QueueCounts = { waiting: 0, sending: 0, attention: 0, attachments: 0, bytes: 0 };
const noSubscription = () => () => undefined;

/** What the person signed in has not yet sent; nothing where this device keeps nothing (a page outside of the shell). */
export function useUnsent(): QueueCounts {
  const outbox = useOfflineIfUsed()?.outbox;
  return useSyncExternalStore(outbox?.subscribe ?? noSubscription, () => outbox?.status().counts ?? NONE);
}
