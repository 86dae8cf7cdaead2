import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import type { ListBuildingsInput, ListClientsInput } from '#shared/features/locations/locations.inputs.ts';
import type {
  Building,
  BuildingOption,
  ClientRow,
  Floor,
  NamedPage,
} from '#shared/features/locations/locations.ts';
import { wantedText } from '#shared/text/search-text.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { cutPage } from '../../kernel/lists/page.ts';
import { clientColumns, loadWrittenBuildings, selectBuildings, toBuilding } from './place-rows.queries.ts';

const floorColumns = {
  id: floors.id,
  buildingId: floors.buildingId,
  level: floors.level,
  name: floors.name,
  isBasement: floors.isBasement,
};
const byName = [sql`${buildings.sortKey} collate "C"`, asc(buildings.id)];

/** Lists the buildings that a person may use, for pickers. */
export function readMyBuildings(db: Queryable, actor: Actor): Promise<BuildingOption[]> {
  return db
    .select({ id: buildings.id, name: buildings.name, clientName: clients.name })
    .from(buildings)
    .innerJoin(clients, eq(clients.id, buildings.clientId))
    .where(visibleTo(actor, buildings.id))
    .orderBy(...byName);
}

/** SQL condition that a column of searched text contains the search. */
function contains(search: string | undefined, column: AnyPgColumn): SQL | undefined {
  const wanted = wantedText(search);
  return wanted === '' ? undefined : sql`strpos(${column}, ${wanted}) > 0`;
}

/** The cursor after a row of a list by name. */
const nameCursor = ({ sortName, id }: { sortName: string; id: string }) => ({ name: sortName, id });

function countWhere(db: Queryable, table: typeof clients | typeof buildings, where: SQL | undefined) {
  return db.$count(table, where);
}

/**
 * SQL condition for clients in use; people other than administrators see only clients with a building visible to them
 * (ruling R16).
 */
function clientsFor(db: Queryable, actor: Actor): SQL | undefined {
  const ids = db.select({ id: buildings.clientId }).from(buildings).where(visibleTo(actor, buildings.id));
  return and(isNull(clients.archivedAt), actor.sight === 'all' ? undefined : inArray(clients.id, ids));
}

/** Reads a client with the number of its buildings that the person may see; null if the client is not visible. */
export async function findClient(db: Queryable, actor: Actor, id: string): Promise<ClientRow | null> {
  const [client] = await db
    .select(clientColumns)
    .from(clients)
    .where(and(eq(clients.id, id), clientsFor(db, actor)));
  if (client === undefined) return null;
  const theirs = and(eq(buildings.clientId, id), visibleTo(actor, buildings.id));
  return { ...client, buildingCount: await countWhere(db, buildings, theirs) };
}

/** Lists clients by name. */
export async function listClients(
  db: Queryable,
  actor: Actor,
  { search, cursor, limit }: ListClientsInput,
): Promise<NamedPage<ClientRow>> {
  const visible = db
    .select({ clientId: buildings.clientId, count: sql<number>`count(*)::int`.as('count') })
    .from(buildings)
    .where(visibleTo(actor, buildings.id))
    .groupBy(buildings.clientId)
    .as('visible');
  const where = and(clientsFor(db, actor), contains(search, clients.searchKey));
  const rows = await db
    .select({
      ...clientColumns,
      buildingCount: sql<number>`coalesce(${visible.count}, 0)`,
      sortName: clients.sortKey,
    })
    .from(clients)
    .leftJoin(visible, eq(visible.clientId, clients.id))
    .where(
      and(
        where,
        cursor && sql`(${clients.sortKey} collate "C", ${clients.id}) > (${cursor.name}, ${cursor.id}::uuid)`,
      ),
    )
    .orderBy(sql`${clients.sortKey} collate "C"`, clients.id)
    .limit(limit + 1);
  const { rows: page, nextCursor } = cutPage(rows, limit, nameCursor);
  return {
    rows: page.map(({ sortName: _order, ...client }) => client),
    total: await countWhere(db, clients, where),
    nextCursor,
  };
}

/** Lists buildings by name, of one client if given. */
export async function listBuildings(
  db: Queryable,
  actor: Actor,
  { clientId, search, cursor, limit }: ListBuildingsInput,
): Promise<NamedPage<Building>> {
  const where = and(
    visibleTo(actor, buildings.id),
    clientId === undefined ? undefined : eq(buildings.clientId, clientId),
    contains(search, buildings.searchText),
  );
  const rows = await selectBuildings(db)
    .where(
      and(
        where,
        cursor &&
          sql`(${buildings.sortKey} collate "C", ${buildings.id}) > (${cursor.name}, ${cursor.id}::uuid)`,
      ),
    )
    .orderBy(...byName)
    .limit(limit + 1);
  const { rows: page, nextCursor } = cutPage(rows, limit, nameCursor);
  return { rows: page.map(toBuilding), total: await countWhere(db, buildings, where), nextCursor };
}

/** Reads a building with its details; null if it is not visible. */
export async function findBuilding(db: Queryable, actor: Actor, id: string): Promise<Building | null> {
  const [row] = await loadWrittenBuildings(db, and(eq(buildings.id, id), visibleTo(actor, buildings.id)));
  return row ?? null;
}

/** @throws AppError `not_found` if the building does not exist or this person may not see it */
export async function assertVisible(db: Queryable, actor: Actor, buildingId: string): Promise<void> {
  const [found] = await db
    .select({ id: buildings.id })
    .from(buildings)
    .where(and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)));
  if (found === undefined) throw new AppError('not_found');
}

/** Lists the floors of a building, lowest first. */
export async function visibleFloors(db: Queryable, actor: Actor, buildingId: string): Promise<Floor[]> {
  await assertVisible(db, actor, buildingId);
  return db
    .select(floorColumns)
    .from(floors)
    .where(and(eq(floors.buildingId, buildingId), isNull(floors.archivedAt)))
    .orderBy(asc(floors.level));
}

/** Reads the floors in use of these buildings, lowest first, by building. The caller has checked their visibility. */
export async function floorsOf(db: Queryable, buildingIds: readonly string[]): Promise<Map<string, Floor[]>> {
  const rows = await db
    .select(floorColumns)
    .from(floors)
    .where(and(isAnyOf(floors.buildingId, buildingIds), isNull(floors.archivedAt)))
    .orderBy(asc(floors.level), asc(floors.id));
  const byBuilding = new Map<string, Floor[]>();
  for (const floor of rows) {
    const held = byBuilding.get(floor.buildingId);
    if (held === undefined) byBuilding.set(floor.buildingId, [floor]);
    else held.push(floor);
  }
  return byBuilding;
}
