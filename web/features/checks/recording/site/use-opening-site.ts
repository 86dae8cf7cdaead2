import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { ServerOrCopy } from '../../../../lib/server-or-copy.ts';
import type { OfflineBuildingIndex } from '../../due/use-register.ts';
import { openingSite } from './opening-site.ts';
import { useDraftedSite } from './use-drafted-site.ts';
import type { Due } from './use-due.ts';

const NO_SITES: readonly never[] = [];

type Known = {
  sites: ServerOrCopy<OfflineBuildingIndex>;
  due: Due;
  /** Sites visited today, most recent first; undefined while loading. */
  round: readonly string[] | undefined;
};

/**
 * Preselects a site in a form whose URL names none. The site is decided once and written to the URL, so that other
 * people's records, a reload or a draft do not change it.
 * @returns whether the decision is pending
 */
export function useOpeningSite(kind: LogKind, { sites, due, round }: Known): boolean {
  const [params, setParams] = useSearchParams();
  const [decision, setDecision] = useState<{ site: string | undefined }>();
  const known = sites.value?.sites ?? NO_SITES;
  const drafted = useDraftedSite(kind, known);
  const only = known.length === 1 && sites.value?.more === false ? known[0]?.id : undefined;
  const asks = params.get('site') === null && params.get('done') === null;
  // A decided site is about to be written to the URL.
  const waits = asks && (decision === undefined || decision.site !== undefined);
  const ready = round !== undefined && sites.status !== 'loading' && due.isSettled;

  useEffect(() => {
    if (!asks) {
      setDecision(undefined);
      return;
    }
    if (decision !== undefined || !ready) return;
    const site = openingSite({ drafted, due: due.of(kind), round, only });
    setDecision({ site });
    if (site === undefined) return;
    setParams(
      (before) => {
        before.set('site', site);
        return before;
      },
      { replace: true },
    );
  }, [asks, decision, ready, drafted, due, kind, round, only, setParams]);

  return waits;
}
