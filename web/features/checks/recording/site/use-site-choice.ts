import { useEffect } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import type { ServerOrCopy } from '../../../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../../../offline/use-offline-copy.ts';
import { myBuildings } from '../../../locations/pickers/my-buildings.live.ts';
import { type OfflineBuildingIndex, useRegisterBuildings } from '../../due/use-register.ts';

/** Name of the copy with the names of all sites, for a person with many sites. */
export const ALL_BUILDINGS_COPY = 'checks.everySite';

/**
 * Returns all sites where the person can record a check, sorted by name. The register contains the first sites in full;
 * for further sites only the names are loaded, and the register of a site once it is selected.
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
