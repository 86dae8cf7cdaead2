import { useEffect } from 'react';

/** What lies beyond the loaded rows of a list, as `useLiveList` says it. */
export type MoreRows = { hasMore: boolean; isLoadingMore: boolean; loadMore: () => void };

/** Rows before the end of what is loaded at which the next page is asked for. */
const AHEAD = 12;

/** Asks for the next page when the end of the loaded part comes near, and again while it stays near. */
export function useLoadMore(options: MoreRows & { lastShown: number; loaded: number }): void {
  const { lastShown, loaded, hasMore, isLoadingMore, loadMore } = options;
  const wanted = hasMore && !isLoadingMore && loaded > 0 && lastShown >= loaded - AHEAD;
  useEffect(() => {
    if (wanted) loadMore();
  }, [wanted, loadMore]);
}
