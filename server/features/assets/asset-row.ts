import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { buildings, floors } from '#db/schema/places.ts';
import type { Asset } from '#shared/features/assets/assets.ts';
import { changesIn } from '../../kernel/merge-fields.ts';

/** The columns of an asset that clients receive, in answers and events. */
export const assetColumns = {
  id: assets.id,
  name: assets.name,
  description: assets.description,
  type: assets.type,
  outletKind: assets.outletKind,
  quantity: assets.quantity,
  lastVisitDate: assets.lastVisitDate,
  frequency: assets.frequency,
  buildingId: assets.buildingId,
  buildingName: buildings.name,
  floorId: assetLocations.floorId,
  floorName: floors.name,
  roomName: assetLocations.roomName,
  location: assets.location,
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
  retiredAt: assets.retiredAt,
  version: assets.version,
};

/** The base query for assets: add conditions, order and limit. */
export function selectAssets(db: Queryable) {
  return db
    .select(assetColumns)
    .from(assets)
    .innerJoin(buildings, eq(buildings.id, assets.buildingId))
    .innerJoin(assetLocations, eq(assetLocations.assetId, assets.id))
    .leftJoin(floors, eq(floors.id, assetLocations.floorId))
    .$dynamic();
}

/** Reads an asset that must exist, for the event of the command that has just written it. */
export async function loadWrittenAsset(db: Queryable, id: string): Promise<Asset> {
  const [row] = await selectAssets(db).where(eq(assets.id, id));
  if (row === undefined) throw new Error(`asset ${id} is gone in the transaction that wrote it`);
  return row;
}

/**
 * Returns the name of a floor if it belongs to this building, else undefined. Locks the floor until the end of the transaction,
 * so that it is neither renamed nor archived.
 * @param kept whether the asset is on this floor already; the floor may then be archived
 */
export async function floorNameIn(
  db: Queryable,
  buildingId: string,
  floorId: string,
  kept: boolean,
): Promise<string | undefined> {
  const [floor] = await db
    .select({ name: floors.name })
    .from(floors)
    .where(
      and(
        eq(floors.id, floorId),
        eq(floors.buildingId, buildingId),
        kept ? undefined : isNull(floors.archivedAt),
      ),
    )
    .for('share');
  return floor?.name;
}

/**
 * Returns the changes between two states, for the fields that a history shows: all fields that people edit, and the floor's name
 * beside its id.
 */
export const changesBetween = changesIn<Asset>([
  'name',
  'description',
  'type',
  'outletKind',
  'quantity',
  'lastVisitDate',
  'frequency',
  'floorId',
  'floorName',
  'roomName',
  'location',
  'retiredAt',
]);
