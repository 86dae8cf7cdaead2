import { useQuery } from '@tanstack/react-query';
import type { WebhookState } from '#shared/features/webhooks/webhooks.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Polling interval. Polled, because the live stream has no events for deliveries. */
const ASK_EVERY_MS = 15_000;

/** The state of each webhook's deliveries; undefined until the first answer. */
export function useWebhookStates(): readonly WebhookState[] | undefined {
  const { data } = useQuery({
    queryKey: ['webhooks.states'],
    queryFn: ({ signal }) => api.webhooks.states.query(undefined, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  return data;
}
