import type { Building, Client, ClientRow, NamedPage } from '#shared/features/locations.ts';
import type { LiveChange } from '../../live/types.ts';

type Named = { id: string; name: string; version: number };
export type ClientsInput = { search: string };
export type BuildingsInput = { clientId: string | undefined; search: string };

/** What one change means for a loaded part of the buildings. */
export function foldBuildings(
  page: NamedPage<Building>,
  event: LiveChange<'building'>,
  input: BuildingsInput,
): NamedPage<Building> | 'refetch' {
  if (event.op === 'del') return without(page, event.entityId, event.version);
  const { row, changes } = event;
  const held = page.rows.find(({ id }) => id === row.id);
  if (held !== undefined && held.version >= event.version) return page;
  const here = input.clientId === undefined || row.clientId === input.clientId;
  if (row.archivedAt !== null || !here) {
    if (held !== undefined) return without(page, row.id, event.version);
    // It may have been counted, beyond what is loaded.
    return here && (page.nextCursor !== null || input.search !== '') ? 'refetch' : page;
  }
  // Whether a search finds it is for the server to say.
  if (input.search !== '' && (held === undefined || touches(changes, 'name', 'address'))) return 'refetch';
  return held === undefined && !isNew(changes) ? beyond(page) : placed(page, row);
}

/** What one change of a client, or of one of its buildings, means for a loaded part of the clients. */
export function foldClients(
  page: NamedPage<ClientRow>,
  event: LiveChange<'client' | 'building'>,
  input: ClientsInput,
): NamedPage<ClientRow> | 'refetch' {
  if (event.entity === 'building') return foldClientsBuilding(page, event);
  if (event.op === 'del') return without(page, event.entityId, event.version);
  const row: Client = event.row;
  const held = page.rows.find(({ id }) => id === row.id);
  if (held !== undefined && held.version >= event.version) return page;
  if (row.archivedAt !== null)
    return held === undefined ? beyond(page) : without(page, row.id, event.version);
  if (input.search !== '' && (held === undefined || touches(event.changes, 'name'))) return 'refetch';
  // One that comes back brings its buildings: how many, the server knows.
  if (held === undefined && event.changes !== null) return isNew(event.changes) ? 'refetch' : beyond(page);
  return placed(page, { ...row, buildingCount: held?.buildingCount ?? 0 });
}

function foldClientsBuilding(
  page: NamedPage<ClientRow>,
  event: LiveChange<'building'>,
): NamedPage<ClientRow> | 'refetch' {
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  const membership = isNew(changes);
  if (!membership && !touches(changes, 'clientName')) return page;
  const held = page.rows.find(({ id }) => id === row.clientId);
  if (held === undefined) return membership ? 'refetch' : page;
  if (!membership) return placed(page, { ...held, name: row.clientName });
  const step = row.archivedAt === null ? 1 : -1;
  return placed(page, { ...held, buildingCount: Math.max(0, held.buildingCount + step) });
}

/** Joins a further page: of a row that both hold, the copy with the higher version stays. */
export function joinNamedPages<Row extends Named>(
  page: NamedPage<Row>,
  further: NamedPage<Row>,
): NamedPage<Row> {
  const rows = new Map(page.rows.map((row) => [row.id, row]));
  for (const row of further.rows) {
    const held = rows.get(row.id);
    if (held === undefined || held.version < row.version) rows.set(row.id, row);
  }
  return { rows: [...rows.values()].sort(byName), total: further.total, nextCursor: further.nextCursor };
}

/** By name and id, as the server orders. */
export function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Made, put away or brought back: it enters or leaves lists. */
function isNew(changes: Record<string, unknown> | null): boolean {
  return changes === null || 'archivedAt' in changes;
}

/** Whether one of the fields changed; a row that is new has changed in all. */
export function touches(changes: Record<string, unknown> | null, ...fields: string[]): boolean {
  return changes === null || fields.some((field) => field in changes);
}

/** A row that is not loaded has changed: it matters only where it may now come to stand among those that are. */
function beyond<Page extends NamedPage<unknown>>(page: Page): Page | 'refetch' {
  return page.nextCursor === null ? page : 'refetch';
}

/** The row at its place; beyond the loaded part it is only counted. */
function placed<Row extends Named>(page: NamedPage<Row>, row: Row): NamedPage<Row> {
  const others = page.rows.filter(({ id }) => id !== row.id);
  const total = page.total + (others.length === page.rows.length ? 1 : 0);
  const found = others.findIndex((other) => byName(row, other) < 0);
  if (found === -1 && page.nextCursor !== null) return { ...page, rows: others, total };
  return { ...page, rows: others.toSpliced(found === -1 ? others.length : found, 0, row), total };
}

function without<Row extends Named>(
  page: NamedPage<Row>,
  id: string,
  version: number,
): NamedPage<Row> | 'refetch' {
  const held = page.rows.find((row) => row.id === id);
  if (held === undefined) return beyond(page);
  if (held.version >= version) return page;
  return { ...page, rows: page.rows.filter((row) => row !== held), total: page.total - 1 };
}
