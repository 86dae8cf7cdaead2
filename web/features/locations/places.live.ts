import type {
  ArchivedPage,
  Building,
  Client,
  ClientRow,
  Floor,
  NamedPage,
} from '#shared/features/locations/locations.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { presentTime } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveList } from '../../live/list.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';
import {
  type BuildingsInput,
  type ClientsInput,
  changesAny,
  foldBuildings,
  foldClients,
} from './fold-places.ts';

/** Page size requested by the client, and the largest that the server accepts. */
const PAGES = { pageSize: 100, maxPageSize: 500 };
/** The longest time for which a building's floors are served from the cache (ruling S6). */
const FLOORS_FRESH_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

/** Clients sorted by name, with the number of their buildings that the person may see. */
export const clientList = defineLiveList<ClientsInput, NamedPage<ClientRow>, 'client' | 'building'>({
  name: 'locations.listClients',
  entities: ['client', 'building'],
  ...PAGES,
  fetchPage: ({ search }, page, options) =>
    api.locations.listClients.query({ ...page, ...searchFor(search) }, options),
  compare: compareByName,
  apply: foldClients,
});

function searchFor(search: string): { search?: string } {
  return search === '' ? {} : { search };
}

/** One client; null when it no longer exists or the person has no access to it. */
export const oneClient = defineLiveQuery<{ id: string }, ClientRow | null, 'client' | 'building'>({
  name: 'locations.client',
  entities: ['client', 'building'],
  fetch: (input, { signal }) => api.locations.client.query(input, { signal }),
  apply(client, event, { input, now }) {
    if (event.entity === 'client' ? event.entityId !== input.id : !mayBeOf(event, input.id)) return client;
    const rows = client === null ? [] : [client];
    const whole = { rows, total: rows.length, nextCursor: null };
    const page = clientList.apply(whole, event, { input: { search: '' }, now });
    return page === 'refetch' ? page : (page.rows[0] ?? null);
  },
});

/** The event of a deleted building does not contain its client, so the event counts for every client. */
function mayBeOf(event: LiveChange<'building'>, clientId: string): boolean {
  return event.op === 'del' || event.row.clientId === clientId;
}

/** Buildings sorted by name, of one client or of all. */
export const buildingList = defineLiveList<BuildingsInput, NamedPage<Building>, 'building'>({
  name: 'locations.listBuildings',
  entities: ['building'],
  ...PAGES,
  fetchPage({ clientId, search }, page, options) {
    const scope = clientId === undefined ? {} : { clientId };
    return api.locations.listBuildings.query({ ...page, ...scope, ...searchFor(search) }, options);
  },
  compare: compareByName,
  apply: foldBuildings,
  buildingOf: (building) => building.id,
});

/** One building; null when it is archived or the person has no access to it. */
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

/** The floors of a building, lowest first. Fetched again when an event of the building shows that a floor changed. */
export const buildingFloors = defineLiveQuery<{ buildingId: string }, Floors, 'building'>({
  name: 'locations.listFloors',
  entities: ['building'],
  async fetch(input, { signal }) {
    const answer = await api.locations.listFloors.query(input, { signal });
    const freshUntil = new Date(presentTime() + FLOORS_FRESH_MS - SWEEP_MS).toISOString();
    return { ...answer, data: { floors: answer.data, freshUntil } };
  },
  apply(value, event, { input }) {
    if (event.entityId !== input.buildingId) return value;
    if (event.op === 'del' || event.row.archivedAt !== null) return { ...value, floors: [] };
    return changesAny(event.changes, 'floorCount', 'floorName', 'archivedAt') ? 'refetch' : value;
  },
  lose: (value, lost) => ({ ...value, floors: value.floors.filter((floor) => !lost(floor.buildingId)) }),
  changesAt: ({ freshUntil }) => freshUntil,
});

/** All clients, for pickers of people who may add buildings. */
export const allClients = defineLiveQuery<undefined, Client[], 'client'>({
  name: 'locations.allClients',
  entities: ['client'],
  async fetch(_input, { signal }) {
    const whole = await clientList.fetch({ search: '' }, { signal, limit: Number.MAX_SAFE_INTEGER });
    return { ...whole, data: whole.data.rows };
  },
  apply: (clients, event) =>
    changeRows<Client>(clients, event, (row) => row.archivedAt === null, compareByName),
  lose: () => 'refetch',
});

/** Archived clients, buildings and floors, newest first. */
export const archivedPlaces = defineLiveList<undefined, ArchivedPage, 'client' | 'building'>({
  name: 'locations.listArchived',
  entities: ['client', 'building'],
  ...PAGES,
  fetchPage: (_input, page, options) => api.locations.listArchived.query(page, options),
  compare: newestFirst,
  apply: (page, event) =>
    event.op === 'del' || (event.changes !== null && changesAny(event.changes, 'archivedAt', 'floorCount'))
      ? 'refetch'
      : page,
});

type Archived = { archivedAt: string; id: string };

function newestFirst(a: Archived, b: Archived): number {
  if (a.archivedAt !== b.archivedAt) return a.archivedAt < b.archivedAt ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
