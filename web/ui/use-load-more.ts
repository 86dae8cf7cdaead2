import { useEffect } from 'react';

/** Rows before the end of what is loaded at which the next page is asked for. */
const AHEAD = 12;

type Options = { lastShown: number; loaded: number; hasMore: boolean; onMore: () => void };

/** Asks for the next page when the end of the loaded part comes near. */
export function useLoadMore({ lastShown, loaded, hasMore, onMore }: Options): void {
  const near = hasMore && loaded > 0 && lastShown >= loaded - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loaded` says that a page has come and the end may still be near
  useEffect(() => {
    if (near) onMore();
  }, [near, loaded, onMore]);
}
