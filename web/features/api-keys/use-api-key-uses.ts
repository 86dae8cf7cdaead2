import { useQuery } from '@tanstack/react-query';
import type { ApiKeyUse } from '#shared/features/api-keys/api-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Polling interval. Polled, because the live stream has no events for uses of keys. */
const ASK_EVERY_MS = 30_000;

/** The last use of each key; undefined until the first answer. */
export function useApiKeyUses(): readonly ApiKeyUse[] | undefined {
  const { data } = useQuery({
    queryKey: ['apiKeys.uses'],
    queryFn: ({ signal }) => api.apiKeys.uses.query(undefined, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  return data;
}
