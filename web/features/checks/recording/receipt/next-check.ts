import { useCallback, useSyncExternalStore } from 'react';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { RegisterBuilding, RegisterSchedule } from '#shared/features/checks/procedure-answers.ts';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { useLiveQuery } from '../../../../live/hooks/use-live-query.ts';
import { useOffline } from '../../../../offline/offline-context.tsx';
import { useOfflineCopy } from '../../../../offline/use-offline-copy.ts';
import { buildingCopyName, useRegisterBuildings } from '../../due/use-register.ts';
import { register, registerOfAsset } from '../../register.live.ts';
import { ALL_BUILDINGS_COPY } from '../site/use-site-choice.ts';

/** Returns the most urgent check of an asset: overdue, then due, then by next due date. */
export function nextKindOf(site: RegisterBuilding, assetId: string): CheckKind | undefined {
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

/**
 * Finds an asset and its next check in the person's registers, from the server or from this device's copies. When the
 * person has more sites than one answer contains, the site of the asset is fetched from the server.
 */
export function useNextCheck(assetId: string): NextCheck {
  const first = useLiveQuery(register, undefined);
  const among = nextAmong(first.data?.sites, assetId);
  const elsewhere = first.data?.more === true && among === undefined;
  const own = useLiveQuery(registerOfAsset, { assetId }, { enabled: elsewhere });
  const kept = useKeptCheck(assetId);

  const found = among ?? nextAmong(own.data?.sites, assetId);
  if (found !== undefined) return { status: 'found', ...found };
  const answering = first.status === 'loading' || (elsewhere && own.status === 'loading');
  if (kept === READING || (kept === NONE && answering && navigator.onLine)) return { status: 'loading' };
  const [siteId, kind] = kept.split(' ');
  const knownKind = CHECK_KINDS.find((one) => one === kind);
  return siteId === undefined || knownKind === undefined
    ? { status: 'none' }
    : { status: 'found', siteId, kind: knownKind };
}

function nextAmong(sites: readonly RegisterBuilding[] = [], assetId: string) {
  for (const site of sites) {
    const kind = nextKindOf(site, assetId);
    if (kind !== undefined) return { siteId: site.buildingId, kind };
  }
  return undefined;
}

/** @returns `'<site> <kind>'`, or a state; a string, so that the snapshot compares equal until something changes */
function useKeptCheck(assetId: string): string {
  const { copies } = useOffline();
  const sites = useRegisterBuildings();
  const known = sites.value?.sites;
  // For a person with many sites: further sites have a copy once they have been opened.
  const every = useOfflineCopy<BuildingOption[]>(ALL_BUILDINGS_COPY);
  const places = every.value;
  const isReading = every.state === 'reading' || (known === undefined && sites.status === 'loading');
  const search = useCallback(() => {
    let found = isReading ? READING : NONE;
    for (const id of new Set([...(known ?? []), ...(places ?? [])].map((site) => site.id))) {
      const copy = copies.get(buildingCopyName(id));
      if (copy === undefined) found = READING;
      // The cast is safe: the register stores copies of this type under this name.
      const kind = copy && nextKindOf(copy.value as RegisterBuilding, assetId);
      if (kind !== undefined && kind !== null) return `${id} ${kind}`;
    }
    return found;
  }, [known, places, isReading, copies, assetId]);
  return useSyncExternalStore(copies.subscribe, search, search);
}
