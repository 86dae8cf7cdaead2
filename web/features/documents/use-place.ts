import { useEffect, useMemo } from 'react';
import { compareDocuments } from '#shared/features/document-filter.ts';
import type { DisciplineContents, Document, DocumentRoot, FolderTrail } from '#shared/features/documents.ts';
import { type ServerOrCopy, useEither } from '../../lib/server-or-copy.ts';
import { useSame } from '../../lib/use-same.ts';
import { useLiveList } from '../../live/use-live-list.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { isRefusedRead } from '../../live/wire-error.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { type KeptKind, useKeepLatest } from '../../offline/use-keep-latest.ts';
import { useOfflineCopy } from '../../offline/use-offline-copy.ts';
import type { MoreRows } from '../../ui/use-load-more.ts';
import { documentList, documentRoot, folderTrail } from './documents.live.ts';
import { type DocumentsState, folderOf, ROOT } from './documents-url.ts';
import { disciplineItems, documentItem, type Item } from './items.ts';

/** The copies of buildings' disciplines; a copy goes with the access to its building. */
const KEPT_ROOTS: KeptKind = {
  index: 'documents.sites',
  max: 40,
  nameOf: (buildingId) => `documents.root:${buildingId}`,
};
/** The copies of opened disciplines and folders; the key ends with the building's id. */
const KEPT_PLACES: KeptKind = {
  index: 'documents.places',
  max: 60,
  nameOf: (key) => `documents.list:${key}`,
};
/** The most rows of a place that are kept. */
const KEPT_ROWS = 500;
type KeptPlace = { rows: readonly Document[]; total: number; trail: FolderTrail | undefined };

/** The contents of the opened place, from the server or, until it answers, from this device's copy. */
export type PlaceContents = Omit<ServerOrCopy<readonly Item[]>, 'value'> & {
  items: readonly Item[];
  /** How many there are in all; undefined until that is known. */
  total: number | undefined;
  more: MoreRows;
  /** The way to an opened folder, itself last. */
  trail: FolderTrail | undefined;
};

/** The disciplines of a building with what they hold. */
export function useDocumentRoot(buildingId: string): ServerOrCopy<DocumentRoot> {
  const live = useLiveQuery(
    documentRoot,
    useMemo(() => ({ buildingId }), [buildingId]),
  );
  const kept = useOfflineCopy<DocumentRoot>(KEPT_ROOTS.nameOf(buildingId));
  useKeepLatest(KEPT_ROOTS, buildingId, live.data);
  return useEither(live, live.data, kept);
}

/** Whether the browser shows folders of disciplines rather than documents. */
export function showsDisciplines({
  place,
  search,
  expiry,
}: Pick<DocumentsState, 'place' | 'search' | 'expiry'>): boolean {
  return place.at === 'building' && search.trim() === '' && expiry === 'all';
}

/** The contents of the opened place. */
export function usePlace(
  buildingId: string,
  state: DocumentsState,
  root: ServerOrCopy<DocumentRoot>,
): PlaceContents {
  const { place, expiry, sort, direction } = state;
  const search = state.search.trim();
  const atRoot = showsDisciplines(state);
  const narrowed = search !== '' || expiry !== 'all';
  const order = useSame({ sort, direction });
  const list = useLiveList(
    documentList,
    useSame({ buildingId, place, search, expiry, foldersOnly: false, ...order }),
    { enabled: !atRoot },
  );
  const folderId = place.at === 'folder' ? place.folderId : '';
  const trail = useLiveQuery(
    folderTrail,
    useMemo(() => ({ folderId }), [folderId]),
    { enabled: folderId !== '' },
  );

  const key = `${folderOf(place) ?? 'all'}:${buildingId}`;
  const copy = useOfflineCopy<KeptPlace>(KEPT_PLACES.nameOf(key));
  const { page } = list;
  const isWhole = !atRoot && !narrowed && (place.at !== 'folder' || trail.data !== undefined);
  useKeepLatest(
    KEPT_PLACES,
    key,
    useMemo(
      () =>
        isWhole && page !== undefined
          ? { rows: page.rows.slice(0, KEPT_ROWS), total: page.total, trail: trail.data }
          : undefined,
      [isWhole, page, trail.data],
    ),
  );
  const kept = useMemo(() => {
    if (narrowed || copy.value === undefined) return undefined;
    return [...copy.value.rows].sort((a, b) => compareDocuments(order, a, b));
  }, [narrowed, copy.value, order]);
  const isGone = list.status === 'error' && isRefusedRead(list.error);
  useDropCopy(KEPT_PLACES.nameOf(key), isGone);
  const rows = useEither<readonly Document[]>(list, page?.rows, {
    state: isGone || (kept === undefined && copy.state === 'kept') ? 'none' : copy.state,
    value: kept,
    keptAt: copy.keptAt,
  });

  const disciplines = root.value?.disciplines;
  const items = useMemo(() => {
    if (atRoot) return disciplines === undefined ? NONE : disciplineItems(disciplines, order);
    return rows.value?.map(documentItem) ?? NONE;
  }, [atRoot, disciplines, order, rows.value]);
  const { hasMore, isLoadingMore, loadMore } = list;
  const shown = atRoot ? root : rows;
  return {
    ...{ status: shown.status, keptAt: shown.keptAt, isSettled: shown.isSettled },
    ...{ error: shown.error, refetch: shown.refetch },
    items,
    total: atRoot ? disciplines?.length : (page?.total ?? copy.value?.total),
    more: atRoot ? NO_MORE : { hasMore, isLoadingMore, loadMore },
    trail: folderId === '' ? undefined : (trail.data ?? copy.value?.trail),
  };
}

/** Drops the copy of a place that was deleted: it would be shown as if the server could not be reached. */
function useDropCopy(name: string, isGone: boolean): void {
  const { copies } = useOffline();
  useEffect(() => {
    if (isGone) void copies.drop((each) => each === name).catch(() => undefined);
  }, [copies, name, isGone]);
}

const NONE: readonly Item[] = [];
const NO_MORE: MoreRows = { hasMore: false, isLoadingMore: false, loadMore: () => undefined };

/** The discipline of a place; undefined for the root and for a folder that is not known yet. */
export function disciplineOfPlace(
  place: DocumentsState['place'],
  trail: FolderTrail | undefined,
): string | null | undefined {
  if (place.at === 'discipline') return place.disciplineId;
  return place.at === 'folder' ? trail?.disciplineId : undefined;
}

/** Finds what a building's disciplines tell of one. */
export function findDiscipline(
  root: DocumentRoot | undefined,
  disciplineId: string | null | undefined,
): DisciplineContents | undefined {
  return root?.disciplines.find((each) => each.disciplineId === disciplineId);
}

/** The place above; undefined at the root. */
export function placeAbove(
  place: DocumentsState['place'],
  trail: FolderTrail | undefined,
): DocumentsState['place'] | undefined {
  if (place.at === 'building') return undefined;
  if (place.at === 'discipline') return ROOT;
  if (trail === undefined) return undefined;
  const parent = trail.folders.at(-2);
  return parent === undefined
    ? { at: 'discipline', disciplineId: trail.disciplineId }
    : { at: 'folder', folderId: parent.id };
}
