import type { CheckCards, RaisedByMine, Register } from '#shared/features/checks/procedure-answers.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';
import { changesChecks, changesSubjects } from './affects-checks.ts';

type RegisterEntity = 'checkVisit' | 'testPoint' | 'asset' | 'place';

/** The register of the person's first sites, sorted by name. */
export const register = defineLiveQuery<undefined, Register, RegisterEntity>({
  name: 'checks.register',
  entities: ['checkVisit', 'testPoint', 'asset', 'place'],
  fetch: (_input, { signal }) => api.checks.register.query({}, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The register of one site. */
export const siteRegister = defineLiveQuery<{ buildingId: string }, Register, RegisterEntity>({
  name: 'checks.site',
  entities: ['checkVisit', 'testPoint', 'asset', 'place'],
  fetch: ({ buildingId }, { signal }) => api.checks.register.query({ buildingIds: [buildingId] }, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The register of the site that has the asset; without sites when the person has no access to it. */
export const registerOfAsset = defineLiveQuery<{ assetId: string }, Register, RegisterEntity>({
  name: 'checks.siteOfAsset',
  entities: ['checkVisit', 'testPoint', 'asset', 'place'],
  fetch: (input, { signal }) => api.checks.register.query(input, { signal }),
  apply: (value, event) => (isAbout(value, event) ? 'refetch' : value),
  lose: (value, lost) => ({ ...value, sites: value.sites.filter((site) => !lost(site.buildingId)) }),
});

/** The state of each kind of check over all of a person's sites. */
export const checkCards = defineLiveQuery<
  undefined,
  CheckCards,
  'checkVisit' | 'missedPeriod' | 'asset' | 'place'
>({
  name: 'checks.cards',
  entities: ['checkVisit', 'missedPeriod', 'asset', 'place'],
  fetch: (_input, { signal }) => api.checks.cards.query(undefined, { signal }),
  apply(cards, event) {
    if (event.entity === 'place') return changesChecks(event) ? 'refetch' : cards;
    if (event.entity === 'asset') return changesSubjects(event) ? 'refetch' : cards;
    return 'refetch';
  },
});

/** The issues raised by the person's own failed checks, with their present state. */
export const raisedByMine = defineLiveQuery<undefined, RaisedByMine[], 'checkVisit' | 'raisedIssue'>({
  name: 'checks.raisedByMine',
  entities: ['checkVisit', 'raisedIssue'],
  fetch: (_input, { signal }) => api.checks.raisedByMine.query(undefined, { signal }),
  apply: () => 'refetch',
});

/**
 * Returns whether an event concerns a listed site. A deletion carries no row and always counts; a change to a building
 * or an asset counts only when it affects the checks there.
 */
function isAbout(value: Register, event: LiveChange<RegisterEntity>): boolean {
  if (event.entity === 'place') {
    return changesChecks(event) && value.sites.some((site) => site.buildingId === event.entityId);
  }
  if (event.entity === 'asset' && !changesSubjects(event)) return false;
  return event.op === 'del' || value.sites.some((site) => site.buildingId === event.row.buildingId);
}
