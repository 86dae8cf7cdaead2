import { useCallback } from 'react';
import { useDraft } from '../../../offline/use-draft.ts';
import type { OwnRecord } from './due-sites.ts';

/** What carries across today's checks, so that nobody types it four times. */
type Round = {
  day: string;
  /** Where the person was today, the latest first. */
  siteIds: readonly string[];
  operativeName: string | null;
  /** What was recorded today: nothing else tells it between its receipt and the site's own news. */
  records: readonly OwnRecord[];
};
const NONE: Round = { day: '', siteIds: [], operativeName: null, records: [] };
/** As it was kept before there were several sites in it. */
type Kept = Partial<Round> & { siteId?: string | null };

type Part = { siteId?: string; operativeName?: string | null; record?: OwnRecord };

/** Where the person is working today, and under which name; tomorrow it begins anew. */
export function useRound(today: string) {
  const [kept, set, { state }] = useDraft<Kept>('check.round', NONE);
  const round = kept.day === today ? wholeOf(kept) : NONE;
  const remember = useCallback(
    ({ siteId, operativeName, record }: Part) =>
      set({
        day: today,
        siteIds:
          siteId === undefined ? round.siteIds : [siteId, ...round.siteIds.filter((id) => id !== siteId)],
        operativeName: operativeName === undefined ? round.operativeName : operativeName,
        records: record === undefined ? round.records : [...round.records, record],
      }),
    [set, round, today],
  );
  return { round, remember, loading: state === 'loading' };
}

function wholeOf({ siteId, ...kept }: Kept): Round {
  return { ...NONE, siteIds: siteId == null ? [] : [siteId], ...kept };
}
