import { eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { pickBuildingFields } from '#shared/features/locations/building-fields.ts';
import type { Building, Client } from '#shared/features/locations/locations.ts';
import { nameKey } from '#shared/text/name-keys.ts';

export const clientColumns = {
  id: clients.id,
  name: clients.name,
  archivedAt: clients.archivedAt,
  version: clients.version,
};

const buildingColumns = {
  id: buildings.id,
  clientId: buildings.clientId,
  clientName: clients.name,
  ...pickBuildingFields(buildings),
  code: buildings.code,
  floorCount: sql<number>`(select count(*)::int from ${floors} f where f.building_id = ${buildings.id} and f.archived_at is null)`,
  archivedAt: buildings.archivedAt,
  version: buildings.version,
};

/** The base query for buildings, in the form of answers and events. */
export function selectBuildings(db: Queryable) {
  return db
    .select({ ...buildingColumns, sortName: buildings.sortKey })
    .from(buildings)
    .innerJoin(clients, eq(clients.id, buildings.clientId))
    .$dynamic();
}

/** Removes the column that only the order of `selectBuildings` needs. */
export function toBuilding({ sortName: _order, ...building }: Building & { sortName: string }): Building {
  return building;
}

/** Reads buildings that a command has just written, for its events. */
export async function loadWrittenBuildings(db: Queryable, where: SQL | undefined): Promise<Building[]> {
  const rows = await selectBuildings(db).where(where).orderBy(buildings.id);
  return rows.map(toBuilding);
}

/**
 * Reads a building that a command has just written, for its events.
 * @throws Error if it is missing
 */
export async function loadWrittenBuilding(db: Queryable, id: string): Promise<Building> {
  const [row] = await loadWrittenBuildings(db, eq(buildings.id, id));
  if (row === undefined) throw new Error(`building ${id} is gone in the transaction that wrote it`);
  return row;
}

/** Reads the buildings with these ids. */
export function loadWrittenBuildingsByIds(db: Queryable, ids: readonly string[]): Promise<Building[]> {
  return ids.length === 0 ? Promise.resolve([]) : loadWrittenBuildings(db, isAnyOf(buildings.id, ids));
}

/** Finds the client whose name looks the same. */
export async function findClientByName(db: Queryable, name: string): Promise<Client | undefined> {
  const [row] = await db
    .select(clientColumns)
    .from(clients)
    .where(sql`${clients.nameKey} collate "C" = ${nameKey(name)}`);
  return row;
}
