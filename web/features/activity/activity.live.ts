import type {
  ActivityActor,
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
} from '#shared/features/activity.ts';
import { ENTITY_WORDS, idsToName, subjectOf } from '#shared/features/activity.words.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery, type FetchContext, type LiveChange } from '../../live/types.ts';

const PAGE = 50;
const MOST = 200;

// Everything with words but what is no row. The cast: Object.keys forgets the names.
const ENTITIES = Object.keys(ENTITY_WORDS).filter((name) => name !== 'session') as LiveEntity[];

// Registered when they are first asked for, not with the others: this page's words are no part of the first screen.

/** Who did what, newest first. */
export const activityList = defineLiveQuery<ActivityFilter, ActivityPage, LiveEntity>({
  name: 'activity.list',
  entities: ENTITIES,
  fetch: fetchActivity,
  apply: (page, event, { input }) => foldActivity(page, event, input),
  // For those who see everything: what happened stays on record whatever became of the building.
  lose: (page) => page,
  merge: joinActivityPages,
  size: (page) => page.entries.length,
});

async function fetchActivity(filter: ActivityFilter, { signal, limit = PAGE }: FetchContext) {
  const ask = (cursor: ActivityPage['nextCursor'], rest: number) =>
    api.activity.list.query(
      { filter, limit: Math.min(MOST, Math.max(PAGE, rest)), ...(cursor === null ? {} : { cursor }) },
      { signal },
    );
  const first = await ask(null, limit);
  let data = first.data;
  while (data.entries.length < limit && data.nextCursor !== null) {
    data = joinActivityPages(data, (await ask(data.nextCursor, limit - data.entries.length)).data);
  }
  return { ...first, data };
}

/** The page after the loaded ones. */
export function fetchEarlier(filter: ActivityFilter, { entries, nextCursor }: ActivityPage) {
  const limit = entries.length >= MOST ? MOST : PAGE;
  return api.activity.list.query({ filter, limit, ...(nextCursor === null ? {} : { cursor: nextCursor }) });
}

export function joinActivityPages(page: ActivityPage, further: ActivityPage): ActivityPage {
  const held = new Set(page.entries.map(({ g }) => g));
  return {
    entries: [...page.entries, ...further.entries.filter(({ g }) => !held.has(g))].sort(newestFirst),
    names: { ...page.names, ...further.names },
    nextCursor: further.nextCursor,
  };
}

/** Puts a new event where it belongs; one whose words need names that are not here is asked for. */
export function foldActivity(
  page: ActivityPage,
  event: LiveChange,
  filter: ActivityFilter,
): ActivityPage | 'refetch' {
  // An own write that is not confirmed has no position yet: it has not happened.
  if (!Number.isInteger(event.version) || page.entries.some(({ g }) => g === event.g)) return page;
  const entry = toEntry(event);
  if (!belongs(filter, entry)) return page;
  if (entry.subject === null || idsToName(entry).some((id) => page.names[id] === undefined)) return 'refetch';
  return { ...page, entries: [entry, ...page.entries].sort(newestFirst) };
}

function toEntry(event: LiveChange): ActivityEntry {
  const { g, at, actor, command, entity, entityId, op, changes } = event;
  const row = event.op === 'put' ? event.row : null;
  return {
    g,
    at,
    actorId: actor,
    command,
    entity,
    entityId,
    op,
    subject: subjectOf(entity, row),
    buildingId: buildingOf(entity, row),
    changes,
    count: null,
    erased: false,
  };
}

function buildingOf(entity: string, row: object | null): string | null {
  if (row === null) return null;
  const id: unknown = Reflect.get(row, entity === 'building' ? 'id' : 'buildingId');
  return typeof id === 'string' ? id : null;
}

function belongs(filter: ActivityFilter, entry: ActivityEntry): boolean {
  // Where a removed row lay, only the server knows.
  const elsewhere =
    entry.op !== 'del' && filter.buildingId !== undefined && filter.buildingId !== entry.buildingId;
  return (
    !elsewhere &&
    (filter.actorId === undefined || filter.actorId === entry.actorId) &&
    (filter.entity === undefined || filter.entity === entry.entity) &&
    (filter.from === undefined || entry.at >= filter.from) &&
    (filter.to === undefined || entry.at < filter.to)
  );
}

function newestFirst(a: ActivityEntry, b: ActivityEntry): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.g - a.g;
}

/** Whom the record can be narrowed to. */
export const activityActors = defineLiveQuery<undefined, ActivityActor[], 'person'>({
  name: 'activity.actors',
  entities: ['person'],
  fetch: (_input, { signal }) => api.activity.actors.query(undefined, { signal }),
  apply(actors, event) {
    if (event.op === 'del') return actors;
    const name = `${event.row.firstName} ${event.row.lastName}`.trim() || event.row.email;
    const held = actors.find(({ id }) => id === event.entityId);
    return held?.name === name ? actors : 'refetch';
  },
  lose: (actors) => actors,
});
