import { useEffect } from 'react';
import type { CheckCards } from '#shared/features/checks/answers.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { useKeepCopy, useKeptCopy } from '../../offline/use-kept-copy.ts';
import { either, type FromPhone } from './from-phone.ts';
import { checkCards } from './register.live.ts';

const COPY = 'checks.cards';

/** The cards: the server's answer, or this phone's copy of it until that comes. */
export function useCards(): FromPhone<CheckCards> {
  const live = useLiveQuery(checkCards, undefined);
  const kept = useKeptCopy<CheckCards>(COPY);
  const keep = useKeepCopy();
  const { data } = live;
  useEffect(() => {
    if (data !== undefined) void keep(COPY, data);
  }, [data, keep]);
  return either(live, data, kept);
}
