import { useCallback, useEffect } from 'react';
import { useMyBuildings } from '../locations/pickers/use-my-buildings.ts';
import { useScope } from '../locations/pickers/use-scope.ts';
import { IN_NEW_PLACE, ROOT } from './documents-url.ts';
import type { DocumentsNavigation } from './use-documents-state.ts';

/** Returns the building whose documents are shown, and a function to select another, which opens with its disciplines. */
export function useDocumentsScope({ state, change }: DocumentsNavigation) {
  const places = useMyBuildings();
  const restore = useCallback((building: string) => change({ building }, { replace: true }), [change]);
  const { buildingId, none, isRestoring } = useScope({
    page: 'documents',
    building: state.building,
    places: places.value,
    onRemembered: restore,
  });
  // The URL contains the building even if it is the only one, because a folder in the URL is ignored without a building.
  useEffect(() => {
    if (buildingId !== undefined && state.building === null) restore(buildingId);
  }, [buildingId, state.building, restore]);
  const choose = useCallback(
    (building: string) => change({ ...IN_NEW_PLACE, building, place: ROOT }),
    [change],
  );
  return { places, buildingId, none, isRestoring, choose };
}
