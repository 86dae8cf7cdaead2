import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLive } from '../live-context.tsx';
import type { LiveEntry } from '../stream/join.ts';
import type { LiveQuery } from '../types.ts';

/**
 * The values of a query that are in the cache, for every input, with the person's unconfirmed writes applied. Nothing is
 * fetched, and later changes by the stream do not render the component again.
 */
export function useCachedValues<Input, Value>(query: LiveQuery<Input, Value>): Value[] {
  const queryClient = useQueryClient();
  const { overlays, status } = useLive();
  useSyncExternalStore(overlays.subscribe, overlays.snapshot, overlays.snapshot);
  const entries = queryClient.getQueriesData<LiveEntry<Value>>({ queryKey: [query.name] });
  return entries.flatMap(([[, input], entry]) =>
    entry === undefined ? [] : overlays.project<Value>(query, entry, { input, now: status.now() }),
  );
}
