import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { whenIdle } from './when-idle.ts';

/** The longest time for which the page's queries are awaited. */
const PATIENCE_MS = 3_000;
const IDLE_WITHIN_MS = 1_000;

/**
 * Returns whether the first queries of the page have been answered or have failed, and the browser has been idle since.
 * From then on the page may load code that its first screen does not need; earlier, this would delay the screen on a slow
 * phone.
 */
export function useIsSettled(): boolean {
  const client = useQueryClient();
  const [settled, setSettled] = useState(false);
  useEffect(
    () => afterFirstQueries(client, () => whenIdle(() => setSettled(true), IDLE_WITHIN_MS)),
    [client],
  );
  return settled;
}

/**
 * Calls `onAnswered` once: when a query has been answered or has failed after this call and no query is being fetched, or
 * after three seconds.
 * @returns a function that stops waiting
 */
export function afterFirstQueries(client: QueryClient, onAnswered: () => void): () => void {
  const cache = client.getQueryCache();
  const isAnswered = ({ state }: { state: { status: string } }) => state.status !== 'pending';
  // The cache may contain answers from the previous page.
  const before = new Set(cache.getAll().filter(isAnswered));
  const stop = cache.subscribe(() => {
    const hasNew = cache.getAll().some((query) => isAnswered(query) && !before.has(query));
    if (hasNew && client.isFetching() === 0) end(onAnswered);
  });
  const late = setTimeout(() => end(onAnswered), PATIENCE_MS);
  function end(then?: () => void): void {
    stop();
    clearTimeout(late);
    then?.();
  }
  return () => end();
}
