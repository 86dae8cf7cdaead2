import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useLive } from '../live-context.tsx';
import { liveQueryOptions } from '../query-options.ts';
import type { LiveQuery } from '../types.ts';

export type LiveResult<Value> = {
  /** The cached value with the person's unconfirmed writes applied. */
  data: Value | undefined;
  status: 'loading' | 'error' | 'ready';
  error: unknown;
  refetch: () => void;
};

/** A cached value that the stream keeps up to date. `status` stays `ready` while it is fetched again. */
export function useLiveQuery<Input, Value>(
  query: LiveQuery<Input, Value>,
  input: Input,
  options: { enabled?: boolean } = {},
): LiveResult<Value> {
  const client = useLive();
  const result = useQuery(liveQueryOptions(client, query, input, options.enabled ?? true));
  const { overlays, status } = client;
  // Subscribes to changes of overlays; the projection is cached for this entry and these writes.
  useSyncExternalStore(overlays.subscribe, overlays.snapshot, overlays.snapshot);
  const entry = result.data;
  const data = entry && overlays.project(query, entry, { input, now: status.now() });
  // Components get the same function at every render.
  const latest = useRef(result.refetch);
  latest.current = result.refetch;
  const refetch = useCallback(() => void latest.current(), []);
  return {
    data,
    status: data !== undefined ? 'ready' : result.status === 'error' ? 'error' : 'loading',
    error: result.error,
    refetch,
  };
}
