import { useCallback } from 'react';
import { useDraft } from '../../../offline/use-draft.ts';
import type { OwnRecord } from './due-sites.ts';

/** Values carried from one check to the next on the same day, so that they are entered once. */
type Round = {
  day: string;
  /** Sites visited today, most recent first. */
  siteIds: readonly string[];
  operativeName: string | null;
  /**
   * Checks recorded today. Between the receipt and the update of the site's register, this is the only source for them.
   */
  records: readonly OwnRecord[];
};
const NONE: Round = { day: '', siteIds: [], operativeName: null, records: [] };
/** The draft as stored; older versions of the app stored a single `siteId`. */
type Kept = Partial<Round> & { siteId?: string | null };

type Part = { siteId?: string; operativeName?: string | null; record?: OwnRecord };

/**
 * Returns today's round (sites, operative name and records) and a function that adds to it. On the next day the
 * round is empty again.
 */
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
