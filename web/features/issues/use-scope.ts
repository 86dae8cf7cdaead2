import { useMemo } from 'react';
import { useMe } from '../session/session-context.ts';

/** Which buildings the page is about, from the address and from what this person may see. */
export function useScope(building: string | null, places: readonly { id: string }[] | undefined) {
  const { role } = useMe();
  const only = places?.length === 1 && role !== 'admin' ? places[0] : undefined;
  const mayAll = role === 'admin' || (places !== undefined && places.length > 1);
  const everywhere = useMemo(
    () => (mayAll ? { id: 'all', label: role === 'admin' ? 'View All Sites' : 'All My Sites' } : undefined),
    [mayAll, role],
  );
  const known = places === undefined || places.some((place) => place.id === building);
  const buildingId = building !== null && building !== 'all' && known ? building : only?.id;
  const all = building === 'all' && (places === undefined || mayAll);
  return {
    everywhere,
    buildingId,
    chosen: all || buildingId !== undefined,
    none: places !== undefined && places.length === 0,
    picked: all ? 'all' : buildingId,
  };
}
