import { addDays, startOfDay } from '#shared/dates.ts';
import type { ActivityFilter } from '#shared/features/activity.ts';
import { ENTITY_LABELS } from '#shared/features/activity.vocabulary.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

/** What narrows the page, as its address says it. */
export type ActivityState = {
  person: string | undefined;
  building: string | undefined;
  kind: string | undefined;
  /** Calendar days, both included. */
  from: string | undefined;
  to: string | undefined;
};

/** Whatever is not one of ours is as if it were absent: an old link still opens. */
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

export function writeActivityState(state: ActivityState): URLSearchParams {
  return new URLSearchParams(
    Object.entries(state).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Every record of everybody. */
export const NO_FILTERS: ActivityState = {
  person: undefined,
  building: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
};

/** How many things narrow the page beside the person. */
export function otherFiltersSet({ person: _, ...others }: ActivityState): number {
  return Object.values(others).filter((value) => value !== undefined).length;
}

export function isNarrowed(state: ActivityState): boolean {
  return state.person !== undefined || otherFiltersSet(state) > 0;
}

/** The filter as the server takes it: days become the moments at which they begin here. */
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
