import { addDays, startOfDay } from '#shared/dates.ts';
import type { ActivityFilter } from '#shared/features/activity/activity.ts';
import { ENTITY_LABELS } from '#shared/features/activity/activity.vocabulary.ts';
import { choice, day, defineUrlState, id, type StateOf } from '../../lib/url-state.ts';

/** Filters of the page, as stored in the URL. Both days are inclusive. */
export const activityUrl = defineUrlState({
  person: id('person'),
  building: id('building'),
  kind: choice('kind', Object.keys(ENTITY_LABELS), null),
  from: day('from'),
  to: day('to'),
});
export type ActivityState = StateOf<typeof activityUrl>;

/** Counts the filters in use besides the person. */
export function otherFiltersSet(state: ActivityState): number {
  return activityUrl.countChanged(state, ['building', 'kind', 'from', 'to']);
}

/** Returns whether any filter is in use. */
export function hasFilters(state: ActivityState): boolean {
  return state.person !== null || otherFiltersSet(state) > 0;
}

/** Converts the state to the server's filter; days become times in the default time zone. */
export function toActivityFilter({ person, building, kind, from, to }: ActivityState): ActivityFilter {
  return {
    ...(person === null ? {} : { actorId: person }),
    ...(building === null ? {} : { buildingId: building }),
    ...(kind === null ? {} : { entity: kind }),
    ...(from === null ? {} : { from: new Date(startOfDay(from)).toISOString() }),
    ...(to === null ? {} : { to: new Date(startOfDay(addDays(to, 1))).toISOString() }),
  };
}
