import { useEffect } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../../offline/use-offline-copy.ts';
import { myBuildings } from './my-buildings.live.ts';

const COPY = 'locations.mine';

/** Returns the person's buildings from the server, or this device's copy until the server answers. */
export function useMyBuildings(): ServerOrCopy<BuildingOption[]> {
  const live = useLiveQuery(myBuildings, undefined);
  const kept = useOfflineCopy<BuildingOption[]>(COPY);
  const keep = useSaveOfflineCopy();
  const { data } = live;
  useEffect(() => {
    if (data !== undefined) void keep(COPY, data);
  }, [data, keep]);
  return useServerOrCopy(live, data, kept);
}
