import { useEffect } from 'react';

/** The state of a list beyond its loaded rows, from `useLiveList`. */
export type MoreRows = { hasMore: boolean; isLoadingMore: boolean; loadMore: () => void };

/** The number of rows before the end of the loaded part at which the next page is loaded. */
const AHEAD = 12;

/** Loads the next page when a person scrolls near the end of the loaded part, and again while the end stays near. */
export function useLoadMore(options: MoreRows & { lastShown: number; loaded: number }): void {
  const { lastShown, loaded, hasMore, isLoadingMore, loadMore } = options;
  const wanted = hasMore && !isLoadingMore && loaded > 0 && lastShown >= loaded - AHEAD;
  useEffect(() => {
    if (wanted) loadMore();
  }, [wanted, loadMore]);
}
