import type { HistoryEntry, HistoryInput, HistoryPage } from '#shared/history.ts';
import type { Snapshot } from '#shared/live.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { defineLiveList, type ListPage, type LiveList } from './list.ts';
import type { LiveChange } from './types.ts';

type History = ListPage<HistoryEntry, { g: number }>;

/** Who changed one row and when, newest first, read from the events themselves. */
export type HistoryQuery<E extends LiveEntity = LiveEntity> = LiveList<{ id: string }, History, E>;

/** How many lines the server gives at once; it takes no other number. */
const PAGE = 50;

/** Of a change what its line in a history needs. */
type Line = Pick<LiveChange, 'g' | 'op' | 'at' | 'actor' | 'command' | 'changes'>;
type Ask = (input: HistoryInput, options: { signal: AbortSignal }) => Promise<Snapshot<HistoryPage>>;

/** @param nameIn the name of who made a change, where the changed row itself tells it */
export function defineHistory<const E extends LiveEntity>(
  name: string,
  entity: E,
  ask: Ask,
  nameIn: (event: LiveChange<E>) => string | null = () => null,
): HistoryQuery<E> {
  return defineLiveList<{ id: string }, History, E>({
    name,
    entities: [entity],
    pageSize: PAGE,
    maxPageSize: PAGE,
    async fetchPage({ id }, { cursor }, options) {
      const answer = await ask({ id, cursor: cursor?.g }, options);
      const { entries, nextCursor } = answer.data;
      return {
        ...answer,
        data: { rows: entries, nextCursor: nextCursor === null ? null : { g: nextCursor } },
      };
    },
    compare: (a, b) => b.g - a.g,
    apply(page, event, { input, put }) {
      if (event.entityId !== input.id) return page;
      const entry = entryOf(page.rows, event, nameIn(event));
      return entry === null || entry === 'refetch' ? (entry ?? page) : put(page, entry);
    },
  });
}

/**
 * The line of a change; null where it has none, or has it already. Events name people by id only: a person whom
 * neither the lines above nor the row name yet is asked for.
 */
function entryOf(
  entries: readonly HistoryEntry[],
  event: Line,
  named: string | null,
): HistoryEntry | 'refetch' | null {
  // An overlay has no place in the order of events: history tells what happened, not what is wished for.
  if (event.g === 0 || entries.some((entry) => entry.g === event.g)) return null;
  if (event.op === 'del') return 'refetch';
  const { g, at, actor: actorId, command, changes } = event;
  const actorName =
    actorId === null ? null : (entries.find((entry) => entry.actorId === actorId)?.actorName ?? named);
  if (actorId !== null && actorName === null) return 'refetch';
  return { g, at, actorId, actorName, command, changes, erased: false };
}
