import type {
  ArchivedPage,
  Building,
  Client,
  ClientRow,
  Floor,
  NamedPage,
} from '#shared/features/locations.ts';
import type { Snapshot } from '#shared/live.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery, type FetchContext, type LiveChange } from '../../live/types.ts';
import {
  type BuildingsInput,
  byName,
  type ClientsInput,
  foldBuildings,
  foldClients,
  joinNamedPages,
  touches,
} from './fold-places.ts';

const PAGE = 100;
const MOST = 500;
/** The longest that a copy of a building's floors is served without being asked for again (ruling S6). */
const FLOORS_FRESH_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

type Cursor = NamedPage<unknown>['nextCursor'];
type Asked = { limit: number; cursor?: NonNullable<Cursor>; search?: string };

function asked(search: string, limit: number, cursor: Cursor): Asked {
  return {
    limit: Math.min(MOST, Math.max(PAGE, limit)),
    ...(cursor === null ? {} : { cursor }),
    ...(search === '' ? {} : { search }),
  };
}

/** A list that had grown by several pages is fetched again at its length. */
async function atLength<Row extends { id: string; name: string; version: number }>(
  { limit = PAGE }: FetchContext,
  ask: (cursor: Cursor, limit: number) => Promise<Snapshot<NamedPage<Row>>>,
): Promise<Snapshot<NamedPage<Row>>> {
  const first = await ask(null, limit);
  let data = first.data;
  while (data.rows.length < limit && data.nextCursor !== null) {
    data = joinNamedPages(data, (await ask(data.nextCursor, limit - data.rows.length)).data);
  }
  return { ...first, data };
}

/** Clients by name, with how many buildings of each the person may see. */
export const clientList = defineLiveQuery<ClientsInput, NamedPage<ClientRow>, 'client' | 'building'>({
  name: 'locations.listClients',
  entities: ['client', 'building'],
  fetch: ({ search }, context) =>
    atLength(context, (cursor, limit) =>
      api.locations.listClients.query(asked(search, limit, cursor), { signal: context.signal }),
    ),
  apply: (page, event, { input }) => foldClients(page, event, input),
  merge: joinNamedPages,
  size: (page) => page.rows.length,
});

export function fetchFurtherClients({ search }: ClientsInput, page: NamedPage<ClientRow>) {
  return api.locations.listClients.query(asked(search, PAGE, page.nextCursor));
}

/** One client; null where it is out of sight. */
export const oneClient = defineLiveQuery<{ id: string }, ClientRow | null, 'client' | 'building'>({
  name: 'locations.client',
  entities: ['client', 'building'],
  fetch: (input, { signal }) => api.locations.client.query(input, { signal }),
  apply(client, event, { input }) {
    if (event.entity === 'client' ? event.entityId !== input.id : !mayBeOf(event, input.id)) return client;
    const rows = client === null ? [] : [client];
    const page = foldClients({ rows, total: rows.length, nextCursor: null }, event, { search: '' });
    return page === 'refetch' ? page : (page.rows[0] ?? null);
  },
});

/** A building that is deleted does not say whose it was. */
function mayBeOf(event: LiveChange<'building'>, clientId: string): boolean {
  return event.op === 'del' || event.row.clientId === clientId;
}

/** Buildings by name: of one client, or of all. */
export const buildingList = defineLiveQuery<BuildingsInput, NamedPage<Building>, 'building'>({
  name: 'locations.listBuildings',
  entities: ['building'],
  fetch: (input, context) =>
    atLength(context, (cursor, limit) => askBuildings(input, limit, cursor, context.signal)),
  apply: (page, event, { input }) => foldBuildings(page, event, input),
  lose(page, lost) {
    const rows = page.rows.filter((row) => !lost(row.id));
    if (rows.length === page.rows.length && page.nextCursor === null) return page;
    return page.nextCursor === null ? { ...page, rows, total: rows.length } : 'refetch';
  },
  merge: joinNamedPages,
  size: (page) => page.rows.length,
});

export function fetchFurtherBuildings(input: BuildingsInput, page: NamedPage<Building>) {
  return askBuildings(input, PAGE, page.nextCursor);
}

function askBuildings(
  { clientId, search }: BuildingsInput,
  limit: number,
  cursor: Cursor,
  signal?: AbortSignal,
) {
  const scope = clientId === undefined ? {} : { clientId };
  return api.locations.listBuildings.query(
    { ...asked(search, limit, cursor), ...scope },
    signal && { signal },
  );
}

/** One building; null where it is out of sight. */
export const oneBuilding = defineLiveQuery<{ id: string }, Building | null, 'building'>({
  name: 'locations.building',
  entities: ['building'],
  fetch: (input, { signal }) => api.locations.building.query(input, { signal }),
  apply(building, event, { input }) {
    if (event.entityId !== input.id || (building !== null && building.version >= event.version)) {
      return building;
    }
    return event.op === 'del' || event.row.archivedAt !== null ? null : event.row;
  },
  lose: (building, lost) => (building !== null && lost(building.id) ? null : building),
});

type Floors = { floors: Floor[]; freshUntil: string };

/** The floors of a building, lowest first. Asked for again when the building says that one changed. */
export const buildingFloors = defineLiveQuery<{ buildingId: string }, Floors, 'building'>({
  name: 'locations.listFloors',
  entities: ['building'],
  async fetch(input, { signal }) {
    const answer = await api.locations.listFloors.query(input, { signal });
    const freshUntil = new Date(Date.now() + FLOORS_FRESH_MS - SWEEP_MS).toISOString();
    return { ...answer, data: { floors: answer.data, freshUntil } };
  },
  apply(value, event, { input }) {
    if (event.entityId !== input.buildingId) return value;
    if (event.op === 'del' || event.row.archivedAt !== null) return { ...value, floors: [] };
    return touches(event.changes, 'floorCount', 'floorName', 'archivedAt') ? 'refetch' : value;
  },
  lose: (value, lost) => ({ ...value, floors: value.floors.filter((floor) => !lost(floor.buildingId)) }),
  changesAt: ({ freshUntil }) => freshUntil,
});

/** Every client, for choosing one; for those who may add buildings. */
export const allClients = defineLiveQuery<undefined, Client[], 'client'>({
  name: 'locations.allClients',
  entities: ['client'],
  async fetch(_input, { signal }) {
    const whole = await atLength<ClientRow>({ signal, limit: Number.MAX_SAFE_INTEGER }, (cursor, limit) =>
      api.locations.listClients.query(asked('', limit, cursor), { signal }),
    );
    return { ...whole, data: whole.data.rows };
  },
  apply(clients, event) {
    const held = clients.find(({ id }) => id === event.entityId);
    if (held !== undefined && held.version >= event.version) return clients;
    const others = clients.filter((client) => client !== held);
    if (event.op === 'del' || event.row.archivedAt !== null) return others;
    return [...others, event.row].sort(byName);
  },
  lose: () => 'refetch',
});

/** What was put away, newest first. */
export const archivedPlaces = defineLiveQuery<undefined, ArchivedPage, 'client' | 'building'>({
  name: 'locations.listArchived',
  entities: ['client', 'building'],
  fetch: (_input, { signal, limit = PAGE }) =>
    api.locations.listArchived.query({ limit: Math.min(MOST, Math.max(PAGE, limit)) }, { signal }),
  apply: (page, event) =>
    event.op === 'del' || (event.changes !== null && touches(event.changes, 'archivedAt', 'floorCount'))
      ? 'refetch'
      : page,
  merge: (page, further) => ({ ...further, rows: [...page.rows, ...further.rows] }),
  size: (page) => page.rows.length,
});
