import type { HistoryEntry, HistoryInput, HistoryPage } from '#shared/history.ts';
import type { Snapshot } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { defineLiveList, type ListPage, type LiveList } from './list.ts';
import type { LiveChange } from './types.ts';

type History = ListPage<HistoryEntry, { g: number }>;

/** The live query for the history of one row, newest first, read from its events. */
export type HistoryQuery<E extends LiveEntity = LiveEntity> = LiveList<{ id: string }, History, E>;

/** The number of entries per page; the server accepts no other. */
const PAGE = 50;

/** The fields of a change that its history entry needs. */
type Line = Pick<LiveChange, 'g' | 'op' | 'at' | 'actor' | 'apiKey' | 'command' | 'changes'>;
type Ask = (input: HistoryInput, options: { signal: AbortSignal }) => Promise<Snapshot<HistoryPage>>;

/**
 * Defines the history query of an entity.
 * @param nameIn the name of the person who made a change, if the changed row contains it
 */
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
 * The history entry of a change; null if it has none or is listed already. Events contain only the ids of people: if
 * neither the earlier entries nor the row contain the name, the history is fetched again.
 */
function entryOf(
  entries: readonly HistoryEntry[],
  event: Line,
  named: string | null,
): HistoryEntry | 'refetch' | null {
  // An overlay is not an event yet, so it does not belong in the history.
  if (event.g === 0 || entries.some((entry) => entry.g === event.g)) return null;
  if (event.op === 'del') return 'refetch';
  const { g, at, actor: actorId, apiKey, command, changes } = event;
  const actorName =
    actorId === null ? null : (entries.find((entry) => entry.actorId === actorId)?.actorName ?? named);
  if (actorId !== null && actorName === null) return 'refetch';
  const apiKeyName = apiKey?.name ?? null;
  return { g, at, actorId, actorName, apiKeyName, command, changes, erased: false };
}
