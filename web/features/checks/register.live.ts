import type { CheckCards, RaisedByMine, Register } from '#shared/features/checks/procedure-answers.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';
import { changesChecks } from './affects-checks.ts';

/** The register of the person's first sites, sorted by name. */
export const register = defineLiveQuery<undefined, Register, 'checkVisit' | 'testPoint' | 'place'>({
  name: 'checks.register',
  entities: ['checkVisit', 'testPoint', 'place'],
  fetch: (_input, { signal }) => api.checks.register.query({}, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The register of one site. */
export const siteRegister = defineLiveQuery<
  { buildingId: string },
  Register,
  'checkVisit' | 'testPoint' | 'place'
>({
  name: 'checks.site',
  entities: ['checkVisit', 'testPoint', 'place'],
  fetch: ({ buildingId }, { signal }) => api.checks.register.query({ buildingIds: [buildingId] }, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The register of the site that has the asset; without sites when the person has no access to it. */
export const registerOfAsset = defineLiveQuery<
  { assetId: string },
  Register,
  'checkVisit' | 'testPoint' | 'place'
>({
  name: 'checks.siteOfAsset',
  entities: ['checkVisit', 'testPoint', 'place'],
  fetch: (input, { signal }) => api.checks.register.query(input, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The state of each kind of check over all of a person's sites. */
export const checkCards = defineLiveQuery<undefined, CheckCards, 'checkVisit' | 'missedPeriod' | 'place'>({
  name: 'checks.cards',
  entities: ['checkVisit', 'missedPeriod', 'place'],
  fetch: (_input, { signal }) => api.checks.cards.query(undefined, { signal }),
  apply: (cards, event) => (event.entity === 'place' && !changesChecks(event) ? cards : 'refetch'),
});

/** The issues raised by the person's own failed checks, with their present state. */
export const raisedByMine = defineLiveQuery<undefined, RaisedByMine[], 'checkVisit' | 'raisedIssue'>({
  name: 'checks.raisedByMine',
  entities: ['checkVisit', 'raisedIssue'],
  fetch: (_input, { signal }) => api.checks.raisedByMine.query(undefined, { signal }),
  apply: () => 'refetch',
});

/**
 * Returns whether an event concerns a listed site. A deletion carries no row and always counts; a building only when a
 * change affects its checks.
 */
function isAbout(value: Register, event: LiveChange<'checkVisit' | 'testPoint' | 'place'>): boolean {
  if (event.entity === 'place') {
    return changesChecks(event) && value.sites.some((site) => site.buildingId === event.entityId);
  }
  return event.op === 'del' || value.sites.some((site) => site.buildingId === event.row.buildingId);
}
