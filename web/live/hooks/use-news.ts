import { useEffect, useLayoutEffect, useRef } from 'react';
import type { LivePut } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { useLive } from '../live-context.tsx';

/** Calls a function with each change of an entity's rows that another person has just made. */
export function useNews<E extends LiveEntity>(entity: E, onNews: (event: LivePut<E>) => void): void {
  const client = useLive();
  const latest = useRef(onNews);
  useLayoutEffect(() => {
    latest.current = onNews;
  });
  useEffect(
    () =>
      client.onNews((event) => {
        if (event.entity !== entity || event.op !== 'put' || 'erased' in event) return;
        // The cast: an event of this entity contains a row of this entity, which TypeScript does not conclude from the
        // comparison.
        latest.current(event as LivePut<E>);
      }),
    [client, entity],
  );
}
