import { useEffect } from 'react';
import type { CheckCards } from '#shared/features/checks/procedure-answers.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../../offline/use-offline-copy.ts';
import { checkCards } from '../register.live.ts';

const COPY = 'checks.cards';

/** Returns the check cards from the server, or this device's copy until the server answers. */
export function useCards(): ServerOrCopy<CheckCards> {
  const live = useLiveQuery(checkCards, undefined);
  const kept = useOfflineCopy<CheckCards>(COPY);
  const keep = useSaveOfflineCopy();
  const { data } = live;
  useEffect(() => {
    if (data !== undefined) void keep(COPY, data);
  }, [data, keep]);
  return useServerOrCopy(live, data, kept);
}
