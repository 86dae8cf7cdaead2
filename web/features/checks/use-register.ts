import { useEffect } from 'react';
import type { Register, RegisterSite } from '#shared/features/checks/answers.ts';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { useKeepCopy, useKeptCopy } from '../../offline/use-kept-copy.ts';
import { either, type FromPhone } from './from-phone.ts';
import { register, siteRegister } from './register.live.ts';

/** Which sites this phone has, without what is in them. */
export type SiteIndex = {
  kinds: readonly CheckKind[];
  sites: readonly { id: string; name: string; clientName: string }[];
  /** The person has more sites than these; each is fetched when it is opened. */
  more: boolean;
};

const INDEX = 'checks.sites';
export const siteCopy = (buildingId: string) => `checks.site:${buildingId}`;

/** The person's sites: the server's answer, or this phone's copy of it until that comes. */
export function useSites(): FromPhone<SiteIndex> {
  const live = useLiveQuery(register, undefined);
  const kept = useKeptCopy<SiteIndex>(INDEX);
  const keep = useKeepCopy();
  const { data } = live;

  useEffect(() => {
    if (data === undefined) return;
    // The list says what is here, so it is written when everything on it is.
    void Promise.all(data.sites.map((site) => keep(siteCopy(site.buildingId), site))).then((kept) => {
      if (kept.every(Boolean)) void keep(INDEX, indexOf(data));
    });
  }, [data, keep]);

  return either(live, data === undefined ? undefined : indexOf(data), kept);
}

/** Everything of one site. */
export function useSite(buildingId: string | undefined): FromPhone<RegisterSite> {
  const live = useLiveQuery(
    siteRegister,
    { buildingId: buildingId ?? '' },
    { enabled: buildingId !== undefined },
  );
  const kept = useKeptCopy<RegisterSite>(siteCopy(buildingId ?? ''));
  const keep = useKeepCopy();
  const site = live.data?.sites[0];

  useEffect(() => {
    if (site !== undefined) void keep(siteCopy(site.buildingId), site);
  }, [site, keep]);

  return either(live, site, kept);
}

function indexOf({ kinds, sites, more }: Register): SiteIndex {
  return {
    kinds,
    more,
    sites: sites.map(({ buildingId, name, clientName }) => ({ id: buildingId, name, clientName })),
  };
}

/** Which sites are on this phone, and since when. */
export function useKeptSites() {
  const sites = useSites();
  const { state, value, keptAt } = useKeptCopy<SiteIndex>(INDEX);
  const kept = new Set(value?.sites.map(({ id }) => id));
  return {
    status: state === 'reading' ? ('loading' as const) : sites.status,
    sites: (sites.value?.sites ?? []).map((site) => ({ ...site, here: kept.has(site.id) })),
    keptAt: state === 'kept' ? keptAt : undefined,
    more: sites.value?.more === true,
    refetch: sites.refetch,
  };
}
