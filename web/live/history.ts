import type { HistoryInput, HistoryPage } from '#shared/history.ts';
import type { Snapshot } from '#shared/live.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import type { LiveChange, LiveQuery } from './types.ts';

/** Who changed one row and when, newest first, read from the events themselves. */
export type HistoryQuery<E extends LiveEntity = LiveEntity> = LiveQuery<{ id: string }, HistoryPage, E> & {
  /** The page that follows the loaded ones. */
  further(input: { id: string; cursor: number }): Promise<Snapshot<HistoryPage>>;
};

/** Of a change what its line in a history needs. */
type Line = Pick<LiveChange, 'g' | 'op' | 'at' | 'actor' | 'command' | 'changes'>;
type Ask = (input: HistoryInput, options?: { signal: AbortSignal }) => Promise<Snapshot<HistoryPage>>;

/** @param nameIn the name of who made a change, where the changed row itself tells it */
export function defineHistory<const E extends LiveEntity>(
  name: string,
  entity: E,
  ask: Ask,
  nameIn: (event: LiveChange<E>) => string | null = () => null,
): HistoryQuery<E> {
  return {
    name,
    entities: [entity],
    fetch: (input, { signal }) => ask(input, { signal }),
    further: (input) => ask(input),
    apply: (page, event, { input }) =>
      event.entityId === input.id ? foldHistory(page, event, nameIn(event)) : page,
    merge: (page, further) => ({
      entries: [
        ...page.entries,
        ...further.entries.filter(({ g }) => !page.entries.some((held) => held.g === g)),
      ],
      nextCursor: further.nextCursor,
    }),
  };
}

/**
 * A change becomes the newest line of the history. Events name people by id only: a person whom neither the lines
 * above nor the row name yet is asked for.
 */
function foldHistory(page: HistoryPage, event: Line, named: string | null): HistoryPage | 'refetch' {
  // An overlay has no place in the order of events: history tells what happened, not what is wished for.
  if (event.g === 0 || page.entries.some((entry) => entry.g === event.g)) return page;
  if (event.op === 'del') return 'refetch';
  const { g, at, actor: actorId, command, changes } = event;
  const actorName =
    actorId === null ? null : (page.entries.find((entry) => entry.actorId === actorId)?.actorName ?? named);
  if (actorId !== null && actorName === null) return 'refetch';
  const entry = { g, at, actorId, actorName, command, changes, erased: false };
  return { ...page, entries: [entry, ...page.entries].sort((a, b) => b.g - a.g) };
}
