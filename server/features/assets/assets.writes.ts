import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import type { AssetEdit } from '#shared/features/assets/assets.ts';

/** The values of a new asset. */
export type NewAsset = AssetEdit & {
  id: string;
  buildingId: string;
  buildingName: string;
  /** The name of the floor with `floorId`; null without one. */
  floorName: string | null;
};

/**
 * Inserts assets and their locations. Records no event; the caller does.
 * @returns the inserted ids; ids that were taken are left out
 */
export async function insertAssets(
  tx: Transaction,
  rows: readonly NewAsset[],
  now: string,
): Promise<string[]> {
  if (rows.length === 0) return [];
  // One JSON parameter, because building a statement with thousands of parameters blocks the event loop.
  const made = await tx.execute<{ id: string }>(sql`
    insert into ${assets} (id, name, description, type, outlet_kind, quantity, last_visit_date, building, location,
      frequency, building_id, created_at, updated_at)
    select id, name, description, type, outlet_kind, quantity, last_visit_date, building, location, frequency,
      building_id, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows.map(assetRow))}::text::json) as r (id uuid, name text,
      description text, type text, outlet_kind text, quantity integer, last_visit_date date, building text,
      location text, frequency text, building_id uuid)
    on conflict (id) do nothing returning id`);
  const ids = new Set([...made].map(({ id }) => id));
  const located = rows.filter(({ id }) => ids.has(id.toLowerCase())).map(locationRow);
  if (located.length > 0) {
    await tx.execute(sql`
      insert into ${assetLocations} (asset_id, building_id, floor_id, room_name)
      select asset_id, building_id, floor_id, room_name
      from json_to_recordset(${JSON.stringify(located)}::text::json) as r (asset_id uuid, building_id uuid,
        floor_id uuid, room_name text)`);
  }
  return [...ids];
}

// Keys are the names of the columns.
function assetRow(row: NewAsset) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    outlet_kind: row.outletKind,
    quantity: row.quantity,
    last_visit_date: row.lastVisitDate,
    building: row.buildingName,
    location: locationOf(row.floorName, row.roomName),
    frequency: row.frequency,
    building_id: row.buildingId,
  };
}

function locationRow({ id, buildingId, floorId, roomName }: NewAsset) {
  return { asset_id: id, building_id: buildingId, floor_id: floorId, room_name: roomName };
}

/** Floor and room as one line. */
export function locationOf(floorName: string | null, roomName: string): string {
  return floorName === null ? roomName : `${floorName}, ${roomName}`;
}
