import { useSyncExternalStore } from 'react';
import { useLive } from '../live-context.tsx';
import type { LiveStatus } from '../types.ts';

/** The status for the indicator in the header. */
export function useLiveStatus(): LiveStatus {
  const { status } = useLive();
  return useSyncExternalStore(status.subscribe, status.snapshot, status.snapshot);
}
