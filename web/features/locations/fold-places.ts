import type { Building, ClientRow, NamedPage } from '#shared/features/locations/locations.ts';
import type { ListContext } from '../../live/list.ts';
import type { LiveChange } from '../../live/types.ts';

type Named = { id: string; name: string; version: number };
export type ClientsInput = { search: string };
export type BuildingsInput = { clientId: string | undefined; search: string };

/** Applies a change to the loaded part of the buildings. */
export function foldBuildings(
  page: NamedPage<Building>,
  event: LiveChange<'building'>,
  { input, change }: ListContext<BuildingsInput, NamedPage<Building>>,
): NamedPage<Building> | 'refetch' {
  const isElsewhere =
    event.op === 'put' && input.clientId !== undefined && event.row.clientId !== input.clientId;
  // A building never moves to another client, so it was not in this list before either.
  if (isElsewhere) return page;
  return change(page, event, (row) => {
    if (row.archivedAt !== null) return false;
    return isFound(page, event, input.search, 'name', 'address');
  });
}

/** Applies a change of a client, or of one of its buildings, to the loaded part of the clients. */
export function foldClients(
  page: NamedPage<ClientRow>,
  event: LiveChange<'client' | 'building'>,
  { input, change, put }: ListContext<ClientsInput, NamedPage<ClientRow>>,
): NamedPage<ClientRow> | 'refetch' {
  if (event.entity === 'building') return foldClientsBuilding(page, event, put);
  if (event.op === 'del') return change(page, event, () => false);
  const held = page.rows.find(({ id }) => id === event.entityId);
  if (held === undefined && event.changes !== null && event.row.archivedAt === null) {
    // Only the server knows the building count of a restored client, and whether the person has access to a changed
    // client that is not loaded.
    const isPartLoaded = page.nextCursor !== null || input.search !== '';
    return isPartLoaded || isNew(event.changes) ? 'refetch' : page;
  }
  const row = { ...event.row, buildingCount: held?.buildingCount ?? 0 };
  return change(page, { ...event, row }, () => {
    if (row.archivedAt !== null) return false;
    return isFound(page, event, input.search, 'name');
  });
}

/**
 * Returns true for a row that matches the search. Only the server evaluates a search, so a match is known here only for a
 * row that is already listed and whose searched fields are unchanged.
 */
function isFound(
  page: NamedPage<Named>,
  { entityId, changes }: Pick<LiveChange, 'entityId' | 'changes'>,
  search: string,
  ...fields: string[]
): true | 'refetch' {
  if (search === '') return true;
  const isHeld = page.rows.some(({ id }) => id === entityId);
  return isHeld && !changesAny(changes, ...fields) ? true : 'refetch';
}

function foldClientsBuilding(
  page: NamedPage<ClientRow>,
  event: LiveChange<'building'>,
  put: ListContext<ClientsInput, NamedPage<ClientRow>>['put'],
): NamedPage<ClientRow> | 'refetch' {
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  const membership = isNew(changes);
  if (!membership && !changesAny(changes, 'clientName')) return page;
  const held = page.rows.find(({ id }) => id === row.clientId);
  if (held === undefined) return membership ? 'refetch' : page;
  if (!membership) return put(page, { ...held, name: row.clientName });
  const step = row.archivedAt === null ? 1 : -1;
  return put(page, { ...held, buildingCount: Math.max(0, held.buildingCount + step) });
}

/** Returns whether a row was created, archived or restored, and so enters or leaves lists. */
function isNew(changes: Record<string, unknown> | null): boolean {
  return changes === null || 'archivedAt' in changes;
}

/** Returns whether any of the fields changed; in a created row all fields count as changed. */
export function changesAny(changes: Record<string, unknown> | null, ...fields: string[]): boolean {
  return changes === null || fields.some((field) => field in changes);
}
