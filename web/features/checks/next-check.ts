import { useCallback, useSyncExternalStore } from 'react';
import type { RegisterSchedule, RegisterSite } from '#shared/features/checks/answers.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { register } from './register.live.ts';
import { siteCopy, useSites } from './use-register.ts';

/** The check of an asset whose turn is next: what is overdue, then what is due, then what will be. */
export function nextKindOf(site: RegisterSite, assetId: string): CheckKind | undefined {
  const kinds = CHECK_KINDS.flatMap((kind) => {
    const check = site.checks[kind];
    const has = check?.subjects.some((subject) => subject.assetId === assetId) === true;
    return has ? [{ kind, schedule: check.schedule }] : [];
  });
  return kinds.sort((a, b) => urgency(a.schedule).localeCompare(urgency(b.schedule)))[0]?.kind;
}

function urgency({ isOverdue, isDue, nextDue }: RegisterSchedule): string {
  return `${isOverdue ? 0 : isDue ? 1 : 2} ${nextDue}`;
}

export type NextCheck = { status: 'loading' | 'none' } | { status: 'found'; siteId: string; kind: CheckKind };

const READING = 'reading';
const NONE = 'none';

/** Finds an asset among everything that this person checks: by the server's answer, or by this phone's copies. */
export function useNextCheck(assetId: string): NextCheck {
  const { data } = useLiveQuery(register, undefined);
  const { copies } = useOffline();
  const sites = useSites();
  const known = sites.value?.sites;
  // As text, so that it is the same until something changes.
  const search = useCallback(() => {
    if (known === undefined) return sites.status === 'loading' ? READING : NONE;
    let found = NONE;
    for (const { id } of known) {
      const copy = copies.get(siteCopy(id));
      if (copy === undefined) found = READING;
      // Put there under the same name, by the register.
      const kind = copy && nextKindOf(copy.value as RegisterSite, assetId);
      if (kind !== undefined && kind !== null) return `${id} ${kind}`;
    }
    return found;
  }, [known, sites.status, copies, assetId]);
  const kept = useSyncExternalStore(copies.subscribe, search, search);

  for (const site of data?.sites ?? []) {
    const kind = nextKindOf(site, assetId);
    if (kind !== undefined) return { status: 'found', siteId: site.buildingId, kind };
  }
  if (kept === READING) return { status: 'loading' };
  const [siteId, kind] = kept.split(' ');
  const knownKind = CHECK_KINDS.find((one) => one === kind);
  return siteId === undefined || knownKind === undefined
    ? { status: 'none' }
    : { status: 'found', siteId, kind: knownKind };
}
