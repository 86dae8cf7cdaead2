import { useMemo } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { useToday } from '../../../../lib/time/use-today.ts';
import { type DueSites, dueSitesOf } from '../../due/due-sites.ts';
import { useCards } from '../../due/use-cards.ts';
import { useRegisterBuildings } from '../../due/use-register.ts';
import { useRound } from '../../due/use-round.ts';
import { useOwnRecords } from '../own-records.ts';

export type Due = {
  /** Undefined when not known. */
  of: (kind: LogKind) => DueSites | undefined;
  /** The server has answered, or cannot. Until then a copy may be outdated. */
  isSettled: boolean;
};

/**
 * Returns the sites where each check is due, from the server or this device's copies, including this device's own
 * records.
 */
export function useDue(): Due {
  const today = useToday();
  const { round } = useRound(today);
  const own = useOwnRecords();
  const sites = useRegisterBuildings();
  const cards = useCards();
  const known = sites.value;
  const counted = cards.value;
  const { siteIds } = round;
  const of = useMemo(
    () => (kind: LogKind) =>
      known === undefined
        ? undefined
        : dueSitesOf(
            kind,
            counted?.cards.find((card) => card.kind === kind),
            { ...known, own, round: siteIds, today },
          ),
    [known, counted, own, siteIds, today],
  );
  return { of, isSettled: sites.isSettled && (known?.more !== true || cards.isSettled) };
}
