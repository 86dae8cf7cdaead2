import { useCallback, useRef, useState } from 'react';
import type { ListPage, LiveList, RowOf } from './list.ts';
import { useLive } from './live-context.tsx';
import { type LiveResult, useLiveQuery } from './use-live-query.ts';
import { isRefusedRead } from './wire-error.ts';

export type LiveListResult<Page extends ListPage> = Omit<LiveResult<Page>, 'data'> & {
  /** The loaded part of the list with the fields beside its rows; undefined until the first page is here. */
  page: Page | undefined;
  /** The loaded rows; none until the first page is here. */
  rows: readonly RowOf<Page>[];
  hasMore: boolean;
  /** Also for a moment after a further page could not be loaded, so that a server that is down is not asked at once. */
  isLoadingMore: boolean;
  /** Loads the page after the loaded ones. Nothing happens while one is under way, or at the end of the list. */
  loadMore: () => void;
};

const AGAIN_MS = 2_000;
const NO_ROWS: readonly never[] = [];

/**
 * The loaded part of a list that the stream keeps up to date. For an endless list hand `hasMore`, `isLoadingMore` and
 * `loadMore` on to `useLoadMore` or `useRowWindow` (web/ui); for a button they are what it needs.
 */
export function useLiveList<Input, Page extends ListPage>(
  list: LiveList<Input, Page>,
  input: Input,
  options: { enabled?: boolean } = {},
): LiveListResult<Page> {
  const { cache } = useLive();
  const { data: page, ...result } = useLiveQuery(list, input, options);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const hasMore = page !== undefined && page.nextCursor !== null;
  // The input is a new object at each render; `loadMore` must not be a new function.
  const latest = useRef({ list, input, hasMore, refetch: result.refetch });
  latest.current = { list, input, hasMore, refetch: result.refetch };
  const loadMore = useCallback(async () => {
    const { list, input, hasMore, refetch } = latest.current;
    if (!hasMore) return;
    setLoadingMore(true);
    try {
      await cache.loadMore(list, input);
    } catch (error) {
      // A list that may not be seen any more takes its rows with it.
      if (isRefusedRead(error)) refetch();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      setLoadingMore(false);
    }
  }, [cache]);
  return { ...result, page, rows: page?.rows ?? NO_ROWS, hasMore, isLoadingMore, loadMore };
}
