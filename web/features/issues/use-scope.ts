import { useEffect, useMemo } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import { useMe } from '../session/session-context.ts';

const keyOf = (personId: string) => `lintel.issues.building.${personId}`;

/**
 * Which buildings the page is about: from the address, from what this person may see, and where the address names none,
 * from the last choice on this device.
 * @param onRemembered puts the last choice into the address
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
    /** The last choice is on its way into the address. */
    isRestoring: restored !== undefined,
    none: places !== undefined && places.length === 0,
    picked: all ? 'all' : buildingId,
  };
}
