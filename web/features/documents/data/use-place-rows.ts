import { useMemo } from 'react';
import { compareDocuments, isNarrowed } from '#shared/features/documents/document-filter.ts';
import type {
  Document,
  DocumentOrder,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useStable } from '../../../lib/use-stable.ts';
import { useLiveList } from '../../../live/hooks/use-live-list.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../live/stream/wire-error.ts';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import type { DocumentsState } from '../documents-url.ts';
import { documentList, folderTrail } from './documents.live.ts';
import { useKeptPlace } from './kept-places.ts';
import { type KeptSearch, useKeptSearch } from './kept-search.ts';

type Found = {
  rows: ServerOrCopy<readonly Document[]>;
  /** The number of documents, loaded or not; undefined until it is known. */
  total: number | undefined;
  /** True if there are more than `total`. */
  totalIsLeast: boolean;
  more: MoreRows;
};
export const NO_MORE: MoreRows = { hasMore: false, isLoadingMore: false, loadMore: () => undefined };

/** The documents of a place, or those below it that match the search and filter; and the path to an opened folder. */
export function usePlaceRows(
  buildingId: string,
  state: DocumentsState,
  order: DocumentOrder,
  root: DocumentRoot | undefined,
  { enabled }: { enabled: boolean },
): Found & { trail: FolderTrail | undefined } {
  const { place, expiry } = state;
  const narrowed = isNarrowed(state);
  const filter = useStable({ buildingId, place, search: state.search.trim(), expiry, foldersOnly: false });
  const list = useLiveList(
    documentList,
    useMemo(() => ({ ...filter, ...order }), [filter, order]),
    { enabled },
  );
  const folderId = place.at === 'folder' ? place.folderId : '';
  const trail = useLiveQuery(
    folderTrail,
    useMemo(() => ({ folderId }), [folderId]),
    { enabled: folderId !== '' },
  );

  const { page, hasMore, isLoadingMore, loadMore } = list;
  const isGone = list.status === 'error' && isRefusedRead(list.error);
  const isWhole = enabled && !narrowed && (folderId === '' || trail.data !== undefined);
  const latest = useMemo(
    () =>
      isWhole && page !== undefined ? { rows: page.rows, total: page.total, trail: trail.data } : undefined,
    [isWhole, page, trail.data],
  );
  const copy = useKeptPlace(buildingId, place, latest, isGone);
  const kept = useMemo(
    () => copy.value && [...copy.value.rows].sort((a, b) => compareDocuments(order, a, b)),
    [copy.value, order],
  );
  const rows = useServerOrCopy<readonly Document[]>(list, page?.rows, {
    state: isGone || narrowed ? 'none' : copy.state,
    value: kept,
    keptAt: copy.keptAt,
  });
  const search = useKeptSearch(filter, order, root, { enabled: narrowed && !isGone });
  const isSearchedHere = narrowed && !isGone && page === undefined && rows.isSettled;
  const found = isSearchedHere ? foundHere(rows, search) : undefined;
  return {
    ...(found ?? {
      rows,
      total: page?.total ?? (narrowed ? undefined : copy.value?.total),
      totalIsLeast: page?.totalIsLeast ?? false,
      more: { hasMore, isLoadingMore, loadMore },
    }),
    trail: trail.data ?? copy.value?.trail,
  };
}

/** Returns the result of a search in this device's copies while the server does not answer; undefined while not known. */
function foundHere(rows: Found['rows'], search: KeptSearch): Found | undefined {
  const found = { total: search.rows.length, totalIsLeast: false, more: NO_MORE };
  if (search.state === 'kept') {
    return { ...found, rows: { ...rows, status: 'ready', value: search.rows, keptAt: search.keptAt } };
  }
  // Online, a slow server may still answer; offline, no answer will come.
  if (search.state === 'reading' || navigator.onLine) return undefined;
  return { ...found, rows: { ...rows, status: 'error' } };
}
