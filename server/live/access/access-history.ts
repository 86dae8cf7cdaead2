import type { StreamEvent } from '../events.ts';
import {
  type AccessEvent,
  type AccessRecord,
  type AccessState,
  accessVersionFor,
  revertAccessDelta,
} from './access-events.ts';
import { BuildingSet } from './building-set.ts';

/** The events in the log about one person's access, around a position. */
export type AccessHistory = {
  /** Every change after the position, newest first, including those that have no position yet. */
  since: readonly StreamEvent[];
  /** The newest change of this person alone at or before the position. */
  before: StreamEvent | undefined;
};

/**
 * Reconstructs the access that a client at that position knows: the current access with every later change reverted (rule T2).
 * @returns undefined if the log does not contain enough
 */
export function accessBefore(
  current: AccessRecord,
  { since, before }: AccessHistory,
): AccessRecord | undefined {
  // Access events of a display contain no lists, so they cannot be reverted.
  if (current.view !== undefined && since.length > 0) return unknown(current);
  const { userId } = current;
  const steps = since.map((event) => newsOf(event));
  const older = before && newsOf(before);
  let { version } = current;
  let sight: AccessState = current;
  for (const [at, news] of steps.entries()) {
    const made = news && accessVersionFor(news, userId);
    // This change was committed after the current access was read. The client gets the change with the event itself.
    if (made !== undefined && made > current.version) continue;
    if (news === undefined || made !== version) return unknown(current);
    version -= 1;
    if ('delta' in news) sight = revertAccessDelta(sight, news.delta);
    else sight = wholeAt(steps[at + 1] ?? older, userId, version);
  }
  return sight.buildings === undefined
    ? unknown(current)
    : { ...current, version, buildings: sight.buildings };
}

/**
 * Events of older versions contain the whole access after the change, and nothing of the access before it. So the earlier
 * access is read from the preceding event.
 */
function wholeAt(accessEvent: AccessEvent | undefined, userId: string, version: number): AccessState {
  if (
    accessEvent === undefined ||
    'delta' in accessEvent ||
    accessVersionFor(accessEvent, userId) !== version
  ) {
    return { role: null, buildings: undefined };
  }
  const { role, buildings } = accessEvent.whole;
  return { role, buildings: buildings === 'all' ? 'all' : BuildingSet.of(buildings) };
}

/**
 * The known access of a client whose history is unclear. For a person who sees everything now, it is an access without
 * buildings: such a person cannot have lost anything. For others it is undefined.
 */
function unknown(current: AccessRecord): AccessRecord | undefined {
  return current.buildings === 'all' ? { ...current, version: 0, buildings: BuildingSet.empty } : undefined;
}

function newsOf({ control }: StreamEvent): AccessEvent | undefined {
  return control?.kind === 'access' ? control.accessEvent : undefined;
}
