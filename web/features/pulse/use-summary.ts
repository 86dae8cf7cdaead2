import { useEffect } from 'react';
import type { PulseSummary } from '#shared/features/pulse/pulse.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../offline/use-offline-copy.ts';
import { pulseSummary } from './pulse.live.ts';

/** The number is raised with each change of the copy's shape, so that a copy of an earlier shape is not used. */
const COPY = 'pulse.summary.2';

/** Returns the sums over the person's buildings from the server, or this device's copy until the server answers. */
export function useSummary(): ServerOrCopy<PulseSummary> {
  const live = useLiveQuery(pulseSummary, undefined);
  return useServerOrCopy(live, live.data, useOfflineCopy<PulseSummary>(COPY));
}

/** Keeps the copy up to date. */
export function useKeepSummary(): void {
  const { data } = useLiveQuery(pulseSummary, undefined);
  const keep = useSaveOfflineCopy();
  useEffect(() => {
    if (data !== undefined) void keep(COPY, data);
  }, [data, keep]);
}
