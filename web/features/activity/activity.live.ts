import type {
  ActivityActor,
  ActivityCursor,
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
} from '#shared/features/activity/activity.ts';
import { ENTITY_LABELS, referencedIds, subjectLabel } from '#shared/features/activity/activity.vocabulary.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveList, type ListContext, type ListPage } from '../../live/list.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';

/** The cached value. Its `rows` are the `entries` of the server's page. */
export type ActivityRows = ListPage<ActivityEntry, ActivityCursor> & Pick<ActivityPage, 'names'>;

// Every entity that has a label, except `session`, which is not a live entity. The cast: Object.keys returns string[].
const ENTITIES = Object.keys(ENTITY_LABELS).filter((name) => name !== 'session') as LiveEntity[];

// Registered when the page is loaded, not at start, because the first screen does not need the labels used here.

/** Activity entries, newest first. */
export const activityList = defineLiveList<ActivityFilter, ActivityRows, LiveEntity>({
  name: 'activity.list',
  entities: ENTITIES,
  pageSize: 50,
  maxPageSize: 200,
  async fetchPage(filter, page, options) {
    const answer = await api.activity.list.query({ filter, ...page }, options);
    const { entries, ...rest } = answer.data;
    return { ...answer, data: { ...rest, rows: entries } };
  },
  compare: newestFirst,
  apply: foldActivity,
  // Only people who see all buildings have this list, so losing access to one removes no entry.
  buildingOf: () => null,
  joinRest: (page, further) => ({ names: { ...page.names, ...further.names } }),
});

/** Inserts a new event at its position. Fetches again when the entry needs names that are not loaded. */
function foldActivity(
  page: ActivityRows,
  event: LiveChange,
  { input, put }: ListContext<ActivityFilter, ActivityRows>,
): ActivityRows | 'refetch' {
  // The person's own unconfirmed write (an overlay) has no position in the log yet.
  if (!Number.isInteger(event.version) || page.rows.some(({ g }) => g === event.g)) return page;
  const entry = toEntry(event);
  if (!belongs(input, entry)) return page;
  if (entry.subject === null || referencedIds(entry).some((id) => page.names[id] === undefined))
    return 'refetch';
  return put(page, entry);
}

function toEntry(event: LiveChange): ActivityEntry {
  const { g, at, actor, apiKey, command, entity, entityId, op, changes } = event;
  const row = event.op === 'put' ? event.row : null;
  return {
    g,
    at,
    actorId: actor,
    apiKeyName: apiKey?.name ?? null,
    command,
    entity,
    entityId,
    op,
    subject: subjectLabel(entity, row),
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
  // A deletion carries no row, so its building is unknown here, and the building filter lets the deletion pass.
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

function newestFirst(a: ActivityCursor, b: ActivityCursor): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.g - a.g;
}

/** The people to choose from in the person filter of the list. */
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
