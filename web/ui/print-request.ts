import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import type { MoreRows } from './use-load-more.ts';

/** The most rows of a list that are loaded for a print: about fifty sheets. */
export const PRINTED_MAX = 2_000;

let isAsked = false;
/** What is still loading: a print that is asked for waits for it. */
const loading = new Set<object>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
function ask(asked: boolean): void {
  isAsked = asked;
  tell();
}

/** Holds a print back until the returned function is called. */
function holdPrint(): () => void {
  const hold = {};
  loading.add(hold);
  tell();
  return () => {
    loading.delete(hold);
    tell();
  };
}

/** Holds a print back while something is not there yet. */
export function useHeldPrint(isHeld: boolean): void {
  // In the layout phase, so that the button knows of it when its own effect decides.
  useLayoutEffect(() => (isHeld ? holdPrint() : undefined), [isHeld]);
}

/** Loads all rows of a list, up to `PRINTED_MAX`, once a print of the page is asked for. */
export function useRowsForPrint({ hasMore, isLoadingMore, loadMore }: MoreRows, loaded: number): void {
  const asked = useSyncExternalStore(subscribe, () => isAsked);
  const isLoading = asked && hasMore && loaded < PRINTED_MAX && navigator.onLine;
  useHeldPrint(isLoading);
  useEffect(() => {
    if (isLoading && !isLoadingMore) loadMore();
  }, [isLoading, isLoadingMore, loadMore]);
}

/** Asking for a print of the page, which begins when its lists have loaded their rows. */
export function usePrintRequest(): { isLoading: boolean; print: () => void; cancel: () => void } {
  const asked = useSyncExternalStore(subscribe, () => isAsked);
  const isWaiting = useSyncExternalStore(subscribe, () => loading.size > 0);
  useEffect(() => {
    if (!asked || loading.size > 0) return;
    ask(false);
    // After React's own work, within which nothing can be drawn at once.
    queueMicrotask(() => window.print());
  });
  // Left meanwhile.
  useEffect(() => () => ask(false), []);
  return { isLoading: asked && isWaiting, print: () => ask(true), cancel: () => ask(false) };
}
