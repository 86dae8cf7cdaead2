import { useEffect } from 'react';
import type { Place } from '#shared/features/locations.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { useKeepCopy, useKeptCopy } from '../../offline/use-kept-copy.ts';
import { myBuildings } from '../locations/my-buildings.live.ts';
import type { FromPhone } from './from-phone.ts';
import { type SiteIndex, useSites } from './use-register.ts';

/** The copy of the names of all of a person's sites, of those who have many. */
export const EVERY_SITE = 'checks.everySite';

/**
 * All sites that a check can be recorded at, by name. The register brings the first of them with what is in them;
 * whoever has more chooses among their names, and what is at a site comes when it is chosen.
 */
export function useSiteChoice(): FromPhone<SiteIndex> {
  const first = useSites();
  const more = first.value?.more === true;
  const { data } = useLiveQuery(myBuildings, undefined, { enabled: more });
  const kept = useKeptCopy<Place[]>(EVERY_SITE);
  const keep = useKeepCopy();
  useEffect(() => {
    if (more && data !== undefined) void keep(EVERY_SITE, data);
  }, [more, data, keep]);

  const every = more ? (data ?? kept.value) : undefined;
  return first.value === undefined || every === undefined
    ? first
    : { ...first, value: { ...first.value, sites: every } };
}
