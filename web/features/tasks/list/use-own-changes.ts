import { useState, useSyncExternalStore } from 'react';
import { useLive } from '../../../live/live-context.tsx';

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ids of the tasks that the person has changed on this page while the list is held. Each own write is
 * detected when it begins, by its overlay, which exists until the server confirms the write.
 */
export function useOwnChanges(isHeld: boolean): ReadonlySet<string> {
  const { overlays } = useLive();
  const unconfirmed = useSyncExternalStore(overlays.subscribe, overlays.snapshot, overlays.snapshot);
  const [own, setOwn] = useState(NONE);
  if (!isHeld) {
    if (own !== NONE) setOwn(NONE);
    return NONE;
  }
  const fresh = [...unconfirmed.values()].filter(({ entity, id }) => entity === 'task' && !own.has(id));
  if (fresh.length === 0) return own;
  const all = new Set([...own, ...fresh.map(({ id }) => id)]);
  setOwn(all);
  return all;
}
