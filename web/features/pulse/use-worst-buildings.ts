import { useEffect, useMemo } from 'react';
import type { BuildingPulse } from '#shared/features/pulse/pulse.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../offline/use-offline-copy.ts';
import { pulseList } from './pulse.live.ts';

/** The number is raised with each change of the copy's shape, so that a copy of an earlier shape is not used. */
const COPY = 'pulse.list.2';
/** Number of rows shown, and stored on the device. */
const SHOWN = 8;

/** Returns the buildings with the most overdue tasks, from the server or this device's copy. */
export function useWorstBuildings(options: { enabled: boolean }): ServerOrCopy<BuildingPulse[]> {
  const live = useLiveQuery(pulseList, undefined, options);
  const kept = useOfflineCopy<BuildingPulse[]>(COPY);
  const keep = useSaveOfflineCopy();
  const rows = useMemo(() => live.data?.rows.slice(0, SHOWN), [live.data]);
  useEffect(() => {
    if (rows !== undefined) void keep(COPY, rows);
  }, [rows, keep]);
  return useServerOrCopy(live, rows, kept);
}
