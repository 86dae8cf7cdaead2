import { useCallback, useRef } from 'react';
import type { NamedPage } from '#shared/features/locations.ts';
import type { Snapshot } from '#shared/live.ts';
import type { LiveQuery } from '../../live/types.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';

/** A moment's pause keeps a server that is down from being asked at every frame. */
const AGAIN_MS = 2_000;

/** A list in the order of the alphabet, with its further pages. */
export function useNamedList<Input, Row>(
  query: LiveQuery<Input, NamedPage<Row>>,
  fetchFurther: (input: Input, page: NamedPage<Row>) => Promise<Snapshot<NamedPage<Row>>>,
  input: Input,
  enabled = true,
) {
  const { data, status, error, refetch, loadMore } = useLiveQuery(query, input, { enabled });
  const asked = useRef(false);
  const latest = useRef({ data, input });
  latest.current = { data, input };
  const onMore = useCallback(() => {
    const { data: page, input: at } = latest.current;
    if (asked.current || page === undefined || page.nextCursor === null) return;
    asked.current = true;
    const done = () => {
      asked.current = false;
    };
    void loadMore(() => fetchFurther(at, page)).then(done, () => setTimeout(done, AGAIN_MS));
  }, [fetchFurther, loadMore]);
  return {
    rows: data?.rows,
    total: data?.total,
    hasMore: data !== undefined && data.nextCursor !== null,
    status,
    error,
    refetch,
    onMore,
  };
}
