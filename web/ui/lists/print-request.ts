import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import type { MoreRows } from './use-load-more.ts';

/** The most rows of a list that are loaded for a print: about fifty sheets. */
export const PRINTED_MAX = 2_000;

let isAsked = false;
/** The parts of the page that are still loading; a requested print waits for them. */
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

/** Delays a print until the returned function is called. */
function holdPrint(): () => void {
  const hold = {};
  loading.add(hold);
  tell();
  return () => {
    loading.delete(hold);
    tell();
  };
}

/** Delays a print while something is not loaded yet. */
export function useDelayedPrint(isHeld: boolean): void {
  // In the layout phase, which runs before the effect of the print button that starts the print.
  useLayoutEffect(() => (isHeld ? holdPrint() : undefined), [isHeld]);
}

/** Whether a print of the page has been requested but has not begun. */
export function usePrintAsked(): boolean {
  return useSyncExternalStore(subscribe, () => isAsked);
}

/** Loads all rows of a list, up to `PRINTED_MAX`, once a print of the page is requested. */
export function useRowsForPrint({ hasMore, isLoadingMore, loadMore }: MoreRows, loaded: number): void {
  const asked = usePrintAsked();
  const isLoading = asked && hasMore && loaded < PRINTED_MAX && navigator.onLine;
  useDelayedPrint(isLoading);
  useEffect(() => {
    if (isLoading && !isLoadingMore) loadMore();
  }, [isLoading, isLoadingMore, loadMore]);
}

/** Requests a print of the page, which starts when the page's lists have loaded their rows. */
export function usePrintRequest(): { isLoading: boolean; print: () => void; cancel: () => void } {
  const asked = usePrintAsked();
  const isWaiting = useSyncExternalStore(subscribe, () => loading.size > 0);
  useEffect(() => {
    if (!asked || loading.size > 0) return;
    ask(false);
    // After React's current work, during which the print layout could not be rendered synchronously (`use-printing.ts`).
    queueMicrotask(() => window.print());
  });
  // If the screen is left, the request is cancelled.
  useEffect(() => () => ask(false), []);
  return { isLoading: asked && isWaiting, print: () => ask(true), cancel: () => ask(false) };
}
