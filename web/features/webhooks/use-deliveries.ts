import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deliveries } from '#shared/features/webhooks/webhooks.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Polling interval. Polled, because the live stream has no events for deliveries. */
const ASK_EVERY_MS = 3_000;

/** Returns the deliveries of a webhook, newest first. Each `showEarlier` adds a page. */
export function useDeliveries(id: string) {
  const [pages, setPages] = useState(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks.deliveries', id, pages],
    queryFn: ({ signal }) => readPages(id, pages, signal),
    refetchInterval: ASK_EVERY_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return { data, error, refetch, showEarlier: () => setPages((count) => count + 1) };
}

async function readPages(id: string, pages: number, signal: AbortSignal): Promise<Deliveries> {
  const all: Deliveries = { rows: [], hasMore: true };
  for (let page = 0; page < pages && all.hasMore; page += 1) {
    const before = all.rows.at(-1)?.number;
    const input = { id, ...(before !== undefined && { before }) };
    const { rows, hasMore } = await api.webhooks.deliveries.query(input, { signal });
    all.rows.push(...rows);
    all.hasMore = hasMore;
  }
  return all;
}
