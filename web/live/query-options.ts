import type { LiveClient } from './client.ts';
import { isRefusedRead } from './stream/wire-error.ts';
import type { LiveQuery } from './types.ts';

/** The TanStack Query options of a live query; also for observers outside React. */
export function liveQueryOptions<Input, Value>(
  client: LiveClient,
  query: LiveQuery<Input, Value>,
  input: Input,
  enabled: boolean,
) {
  return {
    queryKey: [query.name, input] as const,
    queryFn: () => client.cache.load(query, input),
    enabled,
    // The stream keeps the data fresh. Structural comparison would cost more than the events themselves.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false as const,
    networkMode: 'always' as const,
    refetchOnWindowFocus: false as const,
    refetchOnReconnect: false as const,
    retry: (failures: number, error: unknown) => !isRefusedRead(error) && failures < 3,
    retryDelay: (attempt: number) => Math.min(8000, 500 * 2 ** attempt),
  };
}
