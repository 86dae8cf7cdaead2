import { useCallback, useRef, useState } from 'react';
import type { ListPage, LiveList, RowOf } from '../list.ts';
import { useLive } from '../live-context.tsx';
import { isRefusedRead } from '../stream/wire-error.ts';
import { type LiveResult, useLiveQuery } from './use-live-query.ts';

export type LiveListResult<Page extends ListPage> = Omit<LiveResult<Page>, 'data'> & {
  /** The loaded part of the list with the fields besides its rows; undefined until the first page has arrived. */
  page: Page | undefined;
  /** The loaded rows; empty until the first page has arrived. */
  rows: readonly RowOf<Page>[];
  hasMore: boolean;
  /** Also true for a moment after a page failed to load, so that a failing server is not asked again at once. */
  isLoadingMore: boolean;
  /** Loads the next page. Does nothing while one is being loaded, or at the end of the list. */
  loadMore: () => void;
};

const AGAIN_MS = 2_000;
const NO_ROWS: readonly never[] = [];

/**
 * The loaded part of a list that the stream keeps up to date. For an endless list, pass `hasMore`, `isLoadingMore` and
 * `loadMore` to `useLoadMore` or `useTableWindow` (web/ui); a button can use them directly.
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
  // The input is a new object at each render, but `loadMore` must stay the same function.
  const latest = useRef({ list, input, hasMore, refetch: result.refetch });
  latest.current = { list, input, hasMore, refetch: result.refetch };
  const loadMore = useCallback(async () => {
    const { list, input, hasMore, refetch } = latest.current;
    if (!hasMore) return;
    setLoadingMore(true);
    try {
      await cache.loadMore(list, input);
    } catch (error) {
      // The person may no longer see the list, so its rows are removed.
      if (isRefusedRead(error)) refetch();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      setLoadingMore(false);
    }
  }, [cache]);
  return { ...result, page, rows: page?.rows ?? NO_ROWS, hasMore, isLoadingMore, loadMore };
}
