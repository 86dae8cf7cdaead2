import { useQuery } from '@tanstack/react-query';
import type { Fleet } from '#shared/features/displays.ts';
import { api } from '../../lib/trpc.ts';

/** Beats are no events, so nothing tells of them; each display sends one about every half a minute. */
const ASK_EVERY_MS = 10_000;

/**
 * What the displays last told of themselves; undefined until the first answer.
 * @param everyMs how often it is asked for
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
