import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { Snapshot } from '#shared/live.ts';
import { useLive } from './live-context.tsx';
import { liveQueryOptions } from './query-options.ts';
import type { LiveQuery } from './types.ts';

export type LiveResult<Value> = {
  /** The cached value with the own, unconfirmed writes folded in. */
  data: Value | undefined;
  status: 'loading' | 'error' | 'ready';
  error: unknown;
  refetch: () => void;
  /** Joins a further page to the value. Nothing happens while one is under way. */
  loadMore: (fetchPage: () => Promise<Snapshot<Value>>) => Promise<void>;
  isLoadingMore: boolean;
};

/** A cached value that the stream keeps up to date. `status` stays 'ready' while it is fetched again. */
export function useLiveQuery<Input, Value>(
  query: LiveQuery<Input, Value>,
  input: Input,
  options: { enabled?: boolean } = {},
): LiveResult<Value> {
  const client = useLive();
  const result = useQuery(liveQueryOptions(client, query, input, options.enabled ?? true));
  const { overlays, cache, status } = client;
  // Read for its changes; the projection is remembered for this entry and these writes.
  useSyncExternalStore(overlays.subscribe, overlays.snapshot, overlays.snapshot);
  const entry = result.data;
  const data = entry && overlays.project(query, entry, { input, now: status.now() });
  const [isLoadingMore, setLoadingMore] = useState(false);
  // The input is a new object at each render; what a component is given here must not be.
  const latest = useRef({ query, input, refetch: result.refetch });
  latest.current = { query, input, refetch: result.refetch };
  const loadMore = useCallback(
    async (fetchPage: () => Promise<Snapshot<Value>>) => {
      setLoadingMore(true);
      try {
        await cache.loadMore(latest.current.query, latest.current.input, fetchPage);
      } finally {
        setLoadingMore(false);
      }
    },
    [cache],
  );
  const refetch = useCallback(() => void latest.current.refetch(), []);
  return {
    data,
    status: data !== undefined ? 'ready' : result.status === 'error' ? 'error' : 'loading',
    error: result.error,
    refetch,
    loadMore,
    isLoadingMore,
  };
}
