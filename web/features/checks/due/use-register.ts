import { useEffect } from 'react';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Register, RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../../offline/use-offline-copy.ts';
import { register, siteRegister } from '../register.live.ts';
import { type KnownSite, standingsOf } from './due-sites.ts';

/** The list of sites stored on this device, without their contents. */
export type OfflineBuildingIndex = {
  kinds: readonly CheckKind[];
  sites: readonly KnownSite[];
  /** The person has more sites than are listed; each further one is fetched when it is opened. */
  more: boolean;
};

const INDEX = 'checks.sites';
/** Returns the name of the copy of a building's register. */
export const buildingCopyName = (buildingId: string) => `checks.site:${buildingId}`;

/** Returns the person's sites from the server, or this device's copy until the server answers. */
export function useRegisterBuildings(): ServerOrCopy<OfflineBuildingIndex> {
  const live = useLiveQuery(register, undefined);
  const kept = useOfflineCopy<OfflineBuildingIndex>(INDEX);
  const keep = useSaveOfflineCopy();
  const { data } = live;

  useEffect(() => {
    if (data === undefined) return;
    // The index claims that its sites are stored, so it is written only after all of its sites are stored.
    void Promise.all(data.sites.map((site) => keep(buildingCopyName(site.buildingId), site))).then((kept) => {
      if (kept.every(Boolean)) void keep(INDEX, indexOf(data));
    });
  }, [data, keep]);

  return useServerOrCopy(live, data === undefined ? undefined : indexOf(data), kept);
}

/** Returns the register of one site from the server, or this device's copy until the server answers. */
export function useRegisterBuilding(buildingId: string | undefined): ServerOrCopy<RegisterBuilding> {
  const live = useLiveQuery(
    siteRegister,
    { buildingId: buildingId ?? '' },
    { enabled: buildingId !== undefined },
  );
  const kept = useOfflineCopy<RegisterBuilding>(buildingCopyName(buildingId ?? ''));
  const keep = useSaveOfflineCopy();
  const site = live.data?.sites[0];

  useEffect(() => {
    if (site !== undefined) void keep(buildingCopyName(site.buildingId), site);
  }, [site, keep]);

  return useServerOrCopy(live, site, kept);
}

function indexOf({ kinds, sites, more }: Register): OfflineBuildingIndex {
  return {
    kinds,
    more,
    sites: sites.map((site) => ({
      id: site.buildingId,
      name: site.name,
      clientName: site.clientName,
      standings: standingsOf(site),
    })),
  };
}

/** Returns the person's sites, whether each is stored on this device (`here`), and when the index was stored. */
export function useOfflineBuildings() {
  const sites = useRegisterBuildings();
  const { state, value, keptAt } = useOfflineCopy<OfflineBuildingIndex>(INDEX);
  const kept = new Set(value?.sites.map(({ id }) => id));
  return {
    status: state === 'reading' ? ('loading' as const) : sites.status,
    sites: (sites.value?.sites ?? []).map((site) => ({ ...site, here: kept.has(site.id) })),
    keptAt: state === 'kept' ? keptAt : undefined,
    more: sites.value?.more === true,
    refetch: sites.refetch,
  };
}
