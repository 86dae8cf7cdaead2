import { BuildingSet } from './building-set.ts';
import {
  type AccessEvent,
  type AccessRecord,
  type AccessState,
  accessVersionFor,
  revertAccessDelta,
} from './control.ts';
import type { StreamEvent } from './events.ts';

/** What the record says of one person's access around a position. */
export type AccessHistory = {
  /** Every change after it, newest first, those without a position yet among them. */
  since: readonly StreamEvent[];
  /** The newest change of this person alone at or before it. */
  before: StreamEvent | undefined;
};

/**
 * What a client at that position knows of its access: today's, with every change since taken back (rule T2).
 * @returns undefined where the record does not tell
 */
export function accessBefore(
  current: AccessRecord,
  { since, before }: AccessHistory,
): AccessRecord | undefined {
  const { userId } = current;
  const steps = since.map((event) => newsOf(event));
  const older = before && newsOf(before);
  let { version } = current;
  let sight: AccessState = current;
  for (const [at, news] of steps.entries()) {
    const made = news && accessVersionFor(news, userId);
    // Committed after today's access was read: its own event tells of it.
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

/** Events of before changes were carried hold what was true after them, and nothing of what was before. */
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

/** Who sees everything now has lost nothing, whatever it was before. */
function unknown(current: AccessRecord): AccessRecord | undefined {
  return current.buildings === 'all' ? { ...current, version: 0, buildings: BuildingSet.empty } : undefined;
}

function newsOf({ control }: StreamEvent): AccessEvent | undefined {
  return control?.kind === 'access' ? control.accessEvent : undefined;
}
