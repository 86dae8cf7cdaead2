import { useEffect, useMemo } from 'react';
import type {
  Document,
  DocumentPlace,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import { presentDay } from '../../../lib/time/present-time.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { type KeptKind, useKeepLatest } from '../../../offline/use-keep-latest.ts';
import { useOfflineCopy } from '../../../offline/use-offline-copy.ts';
import { folderOf } from '../documents-url.ts';

/** The copies of buildings' disciplines; a copy is deleted when access to its building is lost. */
const KEPT_ROOTS: KeptKind = {
  index: 'documents.sites',
  max: 40,
  nameOf: (buildingId) => `documents.root:${buildingId}`,
};
/** The copies of opened disciplines and folders; the key ends with the building's id. */
export const KEPT_PLACES: KeptKind = {
  index: 'documents.places',
  max: 60,
  nameOf: (key) => `documents.list:${key}`,
};
/** Maximum number of rows stored for a place. */
const KEPT_ROWS = 500;

/** The copy of a place, as stored on the device. */
export type KeptPlace = { rows: readonly Document[]; total: number; trail: FolderTrail | undefined };

const keyOf = (buildingId: string, place: DocumentPlace) => `${folderOf(place) ?? 'all'}:${buildingId}`;

/** Returns the stored disciplines of a building, with today's date, by which expiry is judged. */
export function useKeptRoot(buildingId: string, latest: DocumentRoot | undefined) {
  useKeepLatest(KEPT_ROOTS, buildingId, latest);
  const { state, value, keptAt } = useOfflineCopy<DocumentRoot>(KEPT_ROOTS.nameOf(buildingId));
  return useMemo(
    () => ({ state, value: value && { ...value, today: presentDay() }, keptAt }),
    [state, value, keptAt],
  );
}

/**
 * Returns the stored copy of an opened place, and updates it.
 * @param latest the server's answer; undefined while it is incomplete, or narrowed by a search or filter
 * @param isGone the place was deleted; its copy is deleted too, or it would be shown as if the server were unreachable
 */
export function useKeptPlace(
  buildingId: string,
  place: DocumentPlace,
  latest: KeptPlace | undefined,
  isGone: boolean,
) {
  const { copies } = useOffline();
  const key = keyOf(buildingId, place);
  const name = KEPT_PLACES.nameOf(key);
  useKeepLatest(
    KEPT_PLACES,
    key,
    useMemo(() => latest && { ...latest, rows: latest.rows.slice(0, KEPT_ROWS) }, [latest]),
  );
  useEffect(() => {
    if (isGone) void copies.drop((each) => each === name).catch(() => undefined);
  }, [copies, name, isGone]);
  return useOfflineCopy<KeptPlace>(name);
}
