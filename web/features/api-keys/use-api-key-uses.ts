import { useQuery } from '@tanstack/react-query';
import type { ApiKeyUse } from '#shared/features/api-keys/api-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Polled, because uses of keys are no events of the live stream. */
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
