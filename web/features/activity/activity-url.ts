import { addDays, startOfDay } from '#shared/dates.ts';
import type { ActivityFilter } from '#shared/features/activity.ts';
import { ENTITY_LABELS } from '#shared/features/activity.vocabulary.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

/** Filters of the page, as stored in the URL. */
export type ActivityState = {
  person: string | undefined;
  building: string | undefined;
  kind: string | undefined;
  /** Calendar days (YYYY-MM-DD), both inclusive. */
  from: string | undefined;
  to: string | undefined;
};

/** Reads the filters from the URL. Unknown values count as absent, so that old links still open. */
export function readActivityState(params: URLSearchParams): ActivityState {
  const kind = params.get('kind') ?? '';
  return {
    person: uuidOrNull(params.get('person')) ?? undefined,
    building: uuidOrNull(params.get('building')) ?? undefined,
    kind: Object.hasOwn(ENTITY_LABELS, kind) ? kind : undefined,
    from: dayIn(params.get('from')),
    to: dayIn(params.get('to')),
  };
}

/** Writes the filters to URL parameters. */
export function writeActivityState(state: ActivityState): URLSearchParams {
  return new URLSearchParams(
    Object.entries(state).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** No filters: all entries of all people. */
export const NO_FILTERS: ActivityState = {
  person: undefined,
  building: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
};

/** Counts the filters in use besides the person. */
export function otherFiltersSet({ person: _, ...others }: ActivityState): number {
  return Object.values(others).filter((value) => value !== undefined).length;
}

/** Returns whether any filter is in use. */
export function isNarrowed(state: ActivityState): boolean {
  return state.person !== undefined || otherFiltersSet(state) > 0;
}

/** Returns the filter as the server takes it; days become times in the default time zone. */
export function toActivityFilter({ person, building, kind, from, to }: ActivityState): ActivityFilter {
  return {
    ...(person === undefined ? {} : { actorId: person }),
    ...(building === undefined ? {} : { buildingId: building }),
    ...(kind === undefined ? {} : { entity: kind }),
    ...(from === undefined ? {} : { from: new Date(startOfDay(from)).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(startOfDay(addDays(to, 1))).toISOString() }),
  };
}

function dayIn(value: string | null): string | undefined {
  if (value === null || !/^(19|20)\d{2}-\d{2}-\d{2}$/.test(value)) return undefined;
  const at = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(value) ? undefined : value;
}
