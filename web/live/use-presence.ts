import { useSyncExternalStore } from 'react';
import type { LiveEntity } from '#shared/live-entities.ts';
import { useLive } from './live-context.tsx';
import type { Present } from './presence.ts';

/** The other people who have a row open. */
export function usePresence(entity: LiveEntity, id: string): readonly Present[] {
  const { presence } = useLive();
  const read = () => presence.of(entity, id);
  return useSyncExternalStore(presence.subscribe, read, read);
}
