import { useSyncExternalStore } from 'react';
import type { LiveEntity } from '#shared/live-entities.ts';
import { useLive } from './live-context.tsx';

/** Has the server still to answer a write of this row? */
export function usePending(entity: LiveEntity, id: string): boolean {
  const { overlays } = useLive();
  const read = () => overlays.isPending(entity, id);
  return useSyncExternalStore(overlays.subscribe, read, read);
}
