import type { CheckCards, RaisedByMine, Register } from '#shared/features/checks/answers.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';
import { changesChecks } from './changes-checks.ts';

/** What a person's sites have that is checked, the first sites by name. */
export const register = defineLiveQuery<undefined, Register, 'checkVisit' | 'testPoint' | 'place'>({
  name: 'checks.register',
  entities: ['checkVisit', 'testPoint', 'place'],
  fetch: (_input, { signal }) => api.checks.register.query({}, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The same of one site. */
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

/** The same of the site that an asset is at; no site where it is none of the person's. */
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

/** How each kind of check stands over all of a person's sites. */
export const checkCards = defineLiveQuery<undefined, CheckCards, 'checkVisit' | 'missedPeriod' | 'place'>({
  name: 'checks.cards',
  entities: ['checkVisit', 'missedPeriod', 'place'],
  fetch: (_input, { signal }) => api.checks.cards.query(undefined, { signal }),
  apply: (cards, event) => (event.entity === 'place' && !changesChecks(event) ? cards : 'refetch'),
});

/** What the person's own failed checks raised, and what became of it. */
export const raisedByMine = defineLiveQuery<undefined, RaisedByMine[], 'checkVisit' | 'raisedIssue'>({
  name: 'checks.raisedByMine',
  entities: ['checkVisit', 'raisedIssue'],
  fetch: (_input, { signal }) => api.checks.raisedByMine.query(undefined, { signal }),
  apply: () => 'refetch',
});

/** Of a deleted row nothing is known but that it is gone. Of a building only what its checks go by counts. */
function isAbout(value: Register, event: LiveChange<'checkVisit' | 'testPoint' | 'place'>): boolean {
  if (event.entity === 'place') {
    return changesChecks(event) && value.sites.some((site) => site.buildingId === event.entityId);
  }
  return event.op === 'del' || value.sites.some((site) => site.buildingId === event.row.buildingId);
}
