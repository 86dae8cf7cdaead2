import { useQueryClient } from '@tanstack/react-query';
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
  useEffect(() => {
    const cache = client.getQueryCache();
    const look = () => {
      const isAnswered = cache.getAll().some(({ state }) => state.status !== 'pending');
      if (isAnswered && client.isFetching() === 0) settle();
    };
    const settle = () => {
      end();
      whenIdle(() => setSettled(true), IDLE_WITHIN_MS);
    };
    const end = () => {
      stop();
      clearTimeout(late);
    };
    const stop = cache.subscribe(look);
    const late = setTimeout(settle, PATIENCE_MS);
    look();
    return end;
  }, [client]);
  return settled;
}
