import { useQuery } from '@tanstack/react-query';
import type { Fleet } from '#shared/features/displays/displays.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Polling interval. Polled, because the live stream has no events for beats. A display sends a beat about every 30 s. */
const ASK_EVERY_MS = 10_000;

/**
 * Returns the last beat of each display; undefined until the first answer.
 * @param everyMs the polling interval
 */
export function useFleet(everyMs = ASK_EVERY_MS): Fleet | undefined {
  const { data } = useQuery({
    queryKey: ['displays.fleet'],
    queryFn: ({ signal }) => api.displays.fleet.query(undefined, { signal }),
    refetchInterval: everyMs,
    staleTime: 0,
  });
  return data;
}
