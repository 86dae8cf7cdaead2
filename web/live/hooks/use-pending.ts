import { useSyncExternalStore } from 'react';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { useLive } from '../live-context.tsx';

/** Whether a write of this row is still unanswered. */
export function usePending(entity: LiveEntity, id: string): boolean {
  const { overlays } = useLive();
  const read = () => overlays.isPending(entity, id);
  return useSyncExternalStore(overlays.subscribe, read, read);
}
