import { useSyncExternalStore } from 'react';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { useLive } from '../live-context.tsx';
import type { Highlight } from '../types.ts';

/** Another person's change of this row within the last two seconds. */
export function useHighlight(entity: LiveEntity, id: string): Highlight | undefined {
  const { glow } = useLive();
  const read = () => glow.get(entity, id);
  return useSyncExternalStore(glow.subscribe, read, read);
}
