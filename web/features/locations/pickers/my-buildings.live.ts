import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/** The person's buildings for all pickers, sorted by name. */
export const myBuildings = defineLiveQuery<undefined, BuildingOption[], 'place' | 'client'>({
  name: 'locations.mine',
  entities: ['place', 'client'],
  fetch: (_input, { signal }) => api.locations.mine.query(undefined, { signal }),
  apply(places, event) {
    if (event.entity === 'client') {
      // A building carries its client's name but not the client's id, so it cannot be updated here.
      return 'refetch';
    }
    const without = places.filter((place) => place.id !== event.entityId);
    if (event.op === 'del' || event.row.archivedAt !== null) {
      return without.length === places.length ? places : without;
    }
    const place = { id: event.row.id, name: event.row.name, clientName: event.row.clientName };
    return insertInOrder(without, place);
  },
  lose: (places, lost) => {
    const kept = places.filter((place) => !lost(place.id));
    return kept.length === places.length ? places : kept;
  },
});

/** Inserts a building in the server's order: by name, then id. */
function insertInOrder(places: readonly BuildingOption[], place: BuildingOption): BuildingOption[] {
  const at = places.findIndex((other) => compareByName(place, other) < 0);
  return at === -1 ? [...places, place] : [...places.slice(0, at), place, ...places.slice(at)];
}
