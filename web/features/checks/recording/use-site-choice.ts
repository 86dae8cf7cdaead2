import { useEffect } from 'react';
import type { BuildingOption } from '#shared/features/locations.ts';
import { useLiveQuery } from '../../../live/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../../offline/use-offline-copy.ts';
import { myBuildings } from '../../locations/my-buildings.live.ts';
import { type OfflineBuildingIndex, useRegisterBuildings } from '../due/use-register.ts';
import type { ServerOrCopy } from '../server-or-copy.ts';

/** The copy of the names of all of a person's sites, of those who have many. */
export const ALL_BUILDINGS_COPY = 'checks.everySite';

/**
 * All sites that a check can be recorded at, by name. The register brings the first of them with what is in them;
 * whoever has more chooses among their names, and what is at a site comes when it is chosen.
 */
export function useSiteChoice(): ServerOrCopy<OfflineBuildingIndex> {
  const first = useRegisterBuildings();
  const more = first.value?.more === true;
  const { data } = useLiveQuery(myBuildings, undefined, { enabled: more });
  const kept = useOfflineCopy<BuildingOption[]>(ALL_BUILDINGS_COPY);
  const keep = useSaveOfflineCopy();
  useEffect(() => {
    if (more && data !== undefined) void keep(ALL_BUILDINGS_COPY, data);
  }, [more, data, keep]);

  const every = more ? (data ?? kept.value) : undefined;
  return first.value === undefined || every === undefined
    ? first
    : { ...first, value: { ...first.value, sites: every } };
}
