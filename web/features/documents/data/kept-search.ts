import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';
import {
  compareDocuments,
  type DocumentFilter,
  matchesDocumentFilter,
} from '#shared/features/documents/document-filter.ts';
import type { Document, DocumentOrder, DocumentRoot } from '#shared/features/documents/documents.ts';
import { presentDay } from '../../../lib/time/present-time.ts';
import type { CopyRead } from '../../../offline/copies.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { KEPT_PLACES, type KeptPlace } from './kept-places.ts';

/** The result of a search in the stored places of a building; `none` if no place of the building is stored here. */
export type KeptSearch = {
  state: 'reading' | 'none' | 'kept';
  rows: readonly Document[];
  /** When the oldest of these places was stored, ISO. */
  keptAt: string | undefined;
};
const NOTHING: KeptSearch = { state: 'none', rows: [], keptAt: undefined };

/**
 * Searches the stored places of a building.
 * @param root the building's disciplines; the search includes their names
 */
export function useKeptSearch(
  filter: DocumentFilter,
  order: DocumentOrder,
  root: DocumentRoot | undefined,
  { enabled }: { enabled: boolean },
): KeptSearch {
  const places = useKeptPlaces(filter.buildingId, enabled);
  return useMemo(() => searchPlaces(places, filter, order, root), [places, filter, order, root]);
}

function searchPlaces(
  places: readonly CopyRead[],
  filter: DocumentFilter,
  order: DocumentOrder,
  root: DocumentRoot | undefined,
): KeptSearch {
  if (places.includes(undefined)) return { ...NOTHING, state: 'reading' };
  const kept = places.flatMap((copy) => copy ?? []);
  if (kept.length === 0) return NOTHING;
  const options = {
    today: presentDay(),
    disciplineName: (id: string) =>
      root?.disciplines.find(({ disciplineId }) => disciplineId === id)?.name ?? undefined,
  };
  // A document that was moved may be in two copies; the higher version is right.
  const newest = new Map<string, Document>();
  for (const { value } of kept) {
    // The cast is safe: `useKeptPlace` wrote the value.
    for (const row of (value as KeptPlace).rows) {
      if ((newest.get(row.id)?.version ?? 0) < row.version) newest.set(row.id, row);
    }
  }
  const rows = [...newest.values()].filter((row) => matchesDocumentFilter(filter, row, options));
  const [keptAt] = kept.map((copy) => copy.keptAt).sort();
  return { state: 'kept', rows: rows.sort((a, b) => compareDocuments(order, a, b)), keptAt };
}

const NO_COPIES: readonly CopyRead[] = [];

/** The copies of all places of a building; the same array until one of them changes. */
function useKeptPlaces(buildingId: string, enabled: boolean): readonly CopyRead[] {
  const { copies } = useOffline();
  const last = useRef(NO_COPIES);
  const read = useCallback(() => {
    if (!enabled) return NO_COPIES;
    const index = copies.get(KEPT_PLACES.index);
    // The cast is safe: `useKeepLatest` wrote the value.
    const keys = (index?.value ?? []) as readonly string[];
    const own = keys.filter((key) => key.endsWith(`:${buildingId}`));
    const found = index === undefined ? [index] : own.map((key) => copies.get(KEPT_PLACES.nameOf(key)));
    const isSame =
      found.length === last.current.length && found.every((copy, at) => copy === last.current[at]);
    if (!isSame) last.current = found;
    return last.current;
  }, [copies, buildingId, enabled]);
  return useSyncExternalStore(copies.subscribe, read, read);
}
