import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { buildings, floors } from '#db/schema/places.ts';
import type { Asset } from '#shared/features/assets.ts';
import type { Changes } from '#shared/live.ts';

/** What a client may see of an asset, in the form that answers and events share. */
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

/** The one way in which assets are read: add conditions, order and limit. */
export function selectAssets(db: Queryable) {
  return db
    .select(assetColumns)
    .from(assets)
    .innerJoin(buildings, eq(buildings.id, assets.buildingId))
    .innerJoin(assetLocations, eq(assetLocations.assetId, assets.id))
    .leftJoin(floors, eq(floors.id, assetLocations.floorId))
    .$dynamic();
}

/** An asset that is known to be there, as it now is: for the event of the command that has just written it. */
export async function loadWrittenAsset(db: Queryable, id: string): Promise<Asset> {
  const [row] = await selectAssets(db).where(eq(assets.id, id));
  if (row === undefined) throw new Error(`asset ${id} is gone in the transaction that wrote it`);
  return row;
}

/**
 * The name of a floor of this building; undefined where it is not one of its own. Until the end of the transaction it
 * is neither renamed nor put away.
 * @param kept it is where the asset is already, so it may be in the archive
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

/** What a history tells: what people set, and the name beside a floor's id. */
const TOLD = [
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
] as const satisfies readonly (keyof Asset)[];

/** Field → what it was and what it became, for every field that differs. */
export function changesBetween(before: Asset, after: Asset): Changes {
  const changes: Changes = {};
  for (const field of TOLD) {
    if (before[field] !== after[field]) changes[field] = [before[field], after[field]];
  }
  return changes;
}
