import { useMemo } from 'react';
import { isNarrowed } from '#shared/features/documents/document-filter.ts';
import type { DisciplineContents, DocumentRoot, FolderTrail } from '#shared/features/documents/documents.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useStable } from '../../../lib/use-stable.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import { type DocumentsState, ROOT } from '../documents-url.ts';
import { disciplineItems, documentItem, type Item } from '../items.ts';
import { documentRoot } from './documents.live.ts';
import { useKeptRoot } from './kept-places.ts';
import { NO_MORE, usePlaceRows } from './use-place-rows.ts';

/** The contents of the opened place, from the server or, until it answers, from this device's copy. */
export type PlaceContents = Omit<ServerOrCopy<readonly Item[]>, 'value'> & {
  items: readonly Item[];
  /** The number of items, loaded or not; undefined until it is known. */
  total: number | undefined;
  /** True if there are more than `total`. */
  totalIsLeast: boolean;
  more: MoreRows;
  /** The path to an opened folder; the last step is the folder itself. */
  trail: FolderTrail | undefined;
};

/** Returns the disciplines of a building with the counts of their contents. */
export function useDocumentRoot(buildingId: string): ServerOrCopy<DocumentRoot> {
  const live = useLiveQuery(
    documentRoot,
    useMemo(() => ({ buildingId }), [buildingId]),
  );
  return useServerOrCopy(live, live.data, useKeptRoot(buildingId, live.data));
}

/** Returns whether the browser shows disciplines rather than documents. */
function showsDisciplines(state: DocumentsState): boolean {
  return state.place.at === 'building' && !isNarrowed(state);
}

/** The contents of the opened place. */
export function usePlace(
  buildingId: string,
  state: DocumentsState,
  root: ServerOrCopy<DocumentRoot>,
): PlaceContents {
  const { place, sort, direction } = state;
  const atRoot = showsDisciplines(state);
  const order = useStable({ sort, direction });
  const { rows, total, totalIsLeast, more, trail } = usePlaceRows(buildingId, state, order, root.value, {
    enabled: !atRoot,
  });

  const disciplines = root.value?.disciplines;
  const items = useMemo(() => {
    if (atRoot) return disciplines === undefined ? NONE : disciplineItems(disciplines, order);
    return rows.value?.map(documentItem) ?? NONE;
  }, [atRoot, disciplines, order, rows.value]);
  const shown = atRoot ? root : rows;
  return {
    ...{ status: shown.status, keptAt: shown.keptAt, isSettled: shown.isSettled },
    ...{ error: shown.error, refetch: shown.refetch },
    items,
    total: atRoot ? disciplines?.length : total,
    totalIsLeast: !atRoot && totalIsLeast,
    more: atRoot ? NO_MORE : more,
    trail: place.at === 'folder' ? trail : undefined,
  };
}

const NONE: readonly Item[] = [];

/** Returns the discipline of a place; undefined for the root and for a folder whose path is not loaded yet. */
export function disciplineOfPlace(
  place: DocumentsState['place'],
  trail: FolderTrail | undefined,
): string | null | undefined {
  if (place.at === 'discipline') return place.disciplineId;
  return place.at === 'folder' ? trail?.disciplineId : undefined;
}

/** Finds a discipline of a building. */
export function findDiscipline(
  root: DocumentRoot | undefined,
  disciplineId: string | null | undefined,
): DisciplineContents | undefined {
  return root?.disciplines.find((each) => each.disciplineId === disciplineId);
}

/** Returns the parent place; undefined at the root. */
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
