import type {
  ActivityActor,
  ActivityCursor,
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
} from '#shared/features/activity.ts';
import { ENTITY_LABELS, referencedIds, subjectLabel } from '#shared/features/activity.vocabulary.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveList, type ListContext, type ListPage } from '../../live/list.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';

/** The record's page as it is kept: its entries are the rows. */
export type ActivityRows = ListPage<ActivityEntry, ActivityCursor> & Pick<ActivityPage, 'names'>;

// Everything with words but what is no row. The cast: Object.keys forgets the names.
const ENTITIES = Object.keys(ENTITY_LABELS).filter((name) => name !== 'session') as LiveEntity[];

// Registered when they are first asked for, not with the others: this page's words are no part of the first screen.

/** Who did what, newest first. */
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
  // For those who see everything: what happened stays on record whatever became of the building.
  buildingOf: () => null,
  joinRest: (page, further) => ({ names: { ...page.names, ...further.names } }),
});

/** Puts a new event where it belongs; one whose words need names that are not here is asked for. */
function foldActivity(
  page: ActivityRows,
  event: LiveChange,
  { input, put }: ListContext<ActivityFilter, ActivityRows>,
): ActivityRows | 'refetch' {
  // An own write that is not confirmed has no position yet: it has not happened.
  if (!Number.isInteger(event.version) || page.rows.some(({ g }) => g === event.g)) return page;
  const entry = toEntry(event);
  if (!belongs(input, entry)) return page;
  if (entry.subject === null || referencedIds(entry).some((id) => page.names[id] === undefined))
    return 'refetch';
  return put(page, entry);
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

function newestFirst(a: ActivityCursor, b: ActivityCursor): number {
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
