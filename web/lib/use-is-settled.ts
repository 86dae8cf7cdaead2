import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { whenIdle } from './when-idle.ts';

/** Queries that take longer are not waited for. */
const PATIENCE_MS = 3_000;
const IDLE_WITHIN_MS = 1_000;

/**
 * Tells whether the first queries of the page have been answered or have failed, and the browser was idle since: the moment
 * for code that the first screen does not need, which would delay it on a slow phone.
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
 * Calls back once, when queries that begin from now on have been answered or have failed and none is under way, after three
 * seconds at the latest.
 * @returns stops waiting
 */
export function afterFirstQueries(client: QueryClient, onAnswered: () => void): () => void {
  const cache = client.getQueryCache();
  const isAnswered = ({ state }: { state: { status: string } }) => state.status !== 'pending';
  // The page before may have left answers.
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
