import { useCallback } from 'react';
import { useDraft } from '../../offline/use-draft.ts';

/** What carries across today's checks, so that nobody types it four times. */
type Round = { day: string; siteId: string | null; operativeName: string | null };
const NONE: Round = { day: '', siteId: null, operativeName: null };

/** Where the person is working today, and under which name; tomorrow it begins anew. */
export function useRound(today: string) {
  const [kept, set, { state }] = useDraft<Round>('check.round', NONE);
  const round = kept.day === today ? kept : NONE;
  const remember = useCallback(
    (part: Partial<Omit<Round, 'day'>>) => set({ ...round, ...part, day: today }),
    [set, round, today],
  );
  return { round, remember, loading: state === 'loading' };
}
