import { useEffect, useMemo } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import { useMe } from '../session/session-context.ts';

const keyOf = (personId: string) => `lintel.issues.building.${personId}`;

/**
 * Determines the building that the page shows: from the URL, from the person's buildings, or else from the last choice
 * on this device.
 * @param onRemembered writes the last choice to the URL
 */
export function useScope(
  building: string | null,
  places: readonly { id: string }[] | undefined,
  onRemembered: (building: string) => void,
) {
  const { id: me, role } = useMe();
  const only = places?.length === 1 && role !== 'admin' ? places[0] : undefined;
  const mayAll = role === 'admin' || (places !== undefined && places.length > 1);
  const everywhere = useMemo(
    () => (mayAll ? { id: 'all', label: role === 'admin' ? 'View All Sites' : 'All My Sites' } : undefined),
    [mayAll, role],
  );
  const known = places === undefined || places.some((place) => place.id === building);
  const buildingId = building !== null && building !== 'all' && known ? building : only?.id;
  const all = building === 'all' && (places === undefined || mayAll);
  const remembered = useMemo(() => readStored('local', keyOf(me)), [me]);
  const isKnown = (id: string) => (id === 'all' ? mayAll : places?.some((place) => place.id === id) === true);
  const restored =
    building === null && only === undefined && remembered !== undefined && isKnown(remembered)
      ? remembered
      : undefined;
  useEffect(() => {
    if (restored !== undefined) onRemembered(restored);
  }, [restored, onRemembered]);
  const choice = all ? 'all' : building !== null && buildingId === building ? building : undefined;
  useEffect(() => {
    if (choice !== undefined) writeStored('local', keyOf(me), choice);
  }, [choice, me]);
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
