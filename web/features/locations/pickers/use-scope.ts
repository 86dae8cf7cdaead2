import { useEffect, useMemo } from 'react';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { useMe } from '../../session/session-context.ts';
import { recentBuildings, rememberBuilding } from './recent-buildings.ts';

const keyOf = (page: string, personId: string) => `lintel.${page}.building.${personId}`;

type Options = {
  /** Name of the page, part of the key under which its last choice is stored on this device. */
  page: string;
  /** From the URL: one building, 'all', or null. */
  building: string | null;
  places: readonly { id: string }[] | undefined;
  /** Must write the last choice to the URL. */
  onRemembered: (building: string) => void;
  /** Shows all buildings if nothing was chosen on this page yet. */
  elseAll?: boolean;
};

/**
 * Determines the building that a page shows: from the URL, the only building if there is one, or else from the last choice on
 * this device, on this page or on another. Administrators, and people with several buildings, may show all of them (ruling R17).
 */
export function useScope({ page, building, places, onRemembered, elseAll = false }: Options) {
  const { id: me, role } = useMe();
  const only = places?.length === 1 ? places[0] : undefined;
  const mayAll = role === 'admin' || (places !== undefined && places.length > 1);
  const everywhere = useMemo(
    () => (mayAll ? { id: 'all', label: role === 'admin' ? 'View All Sites' : 'All My Sites' } : undefined),
    [mayAll, role],
  );
  const known = places === undefined || places.some((place) => place.id === building);
  const remembered = useMemo(
    () => readStored('local', keyOf(page, me)) ?? (elseAll ? undefined : recentBuildings(me)[0]),
    [page, me, elseAll],
  );
  const isKnown = (id: string) => (id === 'all' ? mayAll : places?.some((place) => place.id === id) === true);
  const restored =
    building === null && only === undefined && remembered !== undefined && isKnown(remembered)
      ? remembered
      : undefined;
  const isUndecided = building === null && only === undefined && restored === undefined;
  const byDefault = elseAll && isUndecided && places !== undefined && mayAll;
  const all = byDefault || (building === 'all' && (places === undefined || mayAll));
  const named = building !== null && building !== 'all' && known ? building : only?.id;
  const buildingId = all ? undefined : named;
  useEffect(() => {
    if (restored !== undefined) onRemembered(restored);
  }, [restored, onRemembered]);
  const choice = all ? 'all' : building !== null && buildingId === building ? building : undefined;
  useEffect(() => {
    if (choice === undefined) return;
    writeStored('local', keyOf(page, me), choice);
    if (choice !== 'all') rememberBuilding(me, choice);
  }, [choice, page, me]);
  return {
    everywhere,
    buildingId,
    chosen: all || buildingId !== undefined,
    /** The last choice is about to be written to the URL. */
    isRestoring: restored !== undefined,
    none: places !== undefined && places.length === 0,
    picked: all ? 'all' : buildingId,
  };
}
