import { useCallback, useRef } from 'react';
import type { Asset } from '#shared/features/assets.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { assetList, fetchFurtherAssets } from './assets.live.ts';
import type { AssetListInput } from './fold-assets.ts';

/** A list with its further pages. */
export function useAssetList(input: AssetListInput, enabled = true) {
  const { data, status, error, refetch, loadMore } = useLiveQuery(assetList, input, { enabled });
  const asked = useRef(false);
  const latest = useRef({ input, page: data });
  latest.current = { input, page: data };
  const onMore = useCallback(() => {
    const { input, page } = latest.current;
    if (asked.current || page === undefined || page.nextCursor === null) return;
    asked.current = true;
    void loadMore(() => fetchFurtherAssets(input, page)).then(
      () => {
        asked.current = false;
      },
      () => {
        // The next scroll asks again; a moment's pause keeps a server that is down from being asked at every frame.
        setTimeout(() => {
          asked.current = false;
        }, 2_000);
      },
    );
  }, [loadMore]);
  return {
    rows: data?.rows ?? NO_ROWS,
    hasMore: data !== undefined && data.nextCursor !== null,
    status,
    error,
    refetch,
    onMore,
  };
}
const NO_ROWS: readonly Asset[] = [];
