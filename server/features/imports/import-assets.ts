import { and, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { floors } from '#db/schema/places.ts';
import { effectiveType, outletKindOf } from '#shared/features/assets/asset-types.ts';
import type { AssetEdit } from '#shared/features/assets/assets.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey, sortKey } from '#shared/text/name-keys.ts';
import { forEachYielding, mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { todayOf } from '../../kernel/settings.ts';
import { insertAssets, type NewAsset } from '../assets/assets.writes.ts';
import { judgeChecksIn } from '../tasks/judge-checks.writes.ts';
import {
  addTo,
  agreesWith,
  type Compared,
  firstLines,
  type Importer,
  matcher,
  parts,
  READ_AT_ONCE,
  WRITE_AT_ONCE,
} from './import-plan.ts';
import { buildingFinder } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

export const assetsImporter: Importer<ImportRows['assets'], NewAsset[]> = {
  async resolve(db, actor, rows, { now, columns }) {
    const find = await buildingFinder(db, actor);
    const today = await todayOf({ tx: db, now });
    const placed = await mapYielding(rows, ({ row, ...rest }) => {
      const building = find(row, rest.fault);
      return building === null ? [] : [{ row, building, ...rest }];
    });
    const found = placed.flat();
    const floorsNamed = await floorsOf(db, [...new Set(found.map(({ building }) => building.id))]);
    const inRooms = await assetsNamed(
      db,
      found.map(({ row, building }) => ({ building_id: building.id, name: row.name })),
    );
    const metBefore = firstLines();
    const isHere = matcher<AssetHere>(columns);
    const added = await mapYielding(found, (looked) => {
      const { row, building, line, fault } = looked;
      const { client: _client, building: _building, floor: wanted, ...edit } = row;
      const withKey = (inRooms.get(roomKey(building.id, row)) ?? []).filter((asset) =>
        isOn(asset, row.floor),
      );
      const matched = isHere(looked, withKey, (asset) => comparedWith(asset, row));
      const floorHere = withKey[0]?.floorId ?? undefined;
      const onFloor = wanted === '' ? [] : (floorsNamed.get(`${building.id}\n${nameKey(wanted)}`) ?? []);
      const [floor] = onFloor;
      const key = [building.id, floorHere ?? floor?.id, nameKey(row.roomName), nameKey(row.name)]
        .filter((part) => part !== undefined)
        .join('\n');
      const before = metBefore(key, line);
      if (matched) return [];
      if (wanted !== '' && floor === undefined) fault('Floor', assetMessages.floorUnknown);
      if (onFloor.length > 1) fault('Floor', importMessages.floorUnclear(wanted));
      if (row.lastVisitDate !== null && row.lastVisitDate > today)
        fault('Last Visit', assetMessages.lastVisitFuture);
      if (before !== undefined) fault('Name', importMessages.twice(before));
      return [
        {
          ...edit,
          id: uuidv7(),
          buildingId: building.id,
          buildingName: building.name,
          floorId: floor?.id ?? null,
          floorName: floor?.name ?? null,
        },
      ];
    });
    return added.flat();
  },

  async write(command, plan, progress) {
    let done = 0;
    for (const part of parts(plan, WRITE_AT_ONCE)) {
      await insertAssets(command.tx, part, command.now);
      done += part.length;
      await progress(done);
    }
    const ids = [...new Set(plan.map(({ buildingId }) => buildingId))];
    await judgeChecksIn(command, ids);
    if (ids.length > SEPARATE_EVENTS_MAX)
      await command.recordBulkIn({ entity: 'asset', buildingId: ids[0] ?? '' }, ids);
    else for (const id of ids) await command.recordBulk({ entity: 'asset', buildingId: id });
  },
};

type FloorName = { id: string; name: string };

/** Reads the floors of buildings, by building and by level or name; one floor may have another's level as its name. */
async function floorsOf(db: Queryable, buildingIds: readonly string[]): Promise<Map<string, FloorName[]>> {
  const floorsNamed = new Map<string, FloorName[]>();
  for (const ids of parts(buildingIds, READ_AT_ONCE)) {
    const present = await db
      .select({ id: floors.id, buildingId: floors.buildingId, name: floors.name, level: floors.level })
      .from(floors)
      .where(and(inArray(floors.buildingId, ids), isNull(floors.archivedAt)));
    await forEachYielding(present, (floor) => {
      for (const word of new Set([String(floor.level), nameKey(floor.name)])) {
        const key = `${floor.buildingId}\n${word}`;
        floorsNamed.set(key, [...(floorsNamed.get(key) ?? []), floor]);
      }
    });
  }
  return floorsNamed;
}

/** An asset in use, with the values that a file may contain. */
type AssetHere = Pick<
  AssetEdit,
  'name' | 'description' | 'type' | 'outletKind' | 'quantity' | 'frequency' | 'lastVisitDate' | 'roomName'
> & { floorId: string | null; floorName: string | null; level: number | null };
type AssetRow = ImportRows['assets'];

/** Whether an asset is on the floor that a row names; the floor may be archived in the meantime. */
function isOn({ floorName, level }: AssetHere, floor: string): boolean {
  if (floor === '' || floorName === null) return floor === '' && floorName === null;
  return nameKey(floor) === nameKey(floorName) || floor === String(level);
}

/** Type and kind of outlet are compared as lists and exports show them. */
function comparedWith(here: AssetHere, row: AssetRow): Compared[] {
  const [kind, wantedKind] = [outletKindOf(here), outletKindOf(row)];
  return [
    {
      column: 'Description',
      same: here.description === row.description,
      here: here.description,
    },
    {
      column: 'Type',
      same: effectiveType(here) === effectiveType(row),
      here: ASSET_TYPE_LABELS[effectiveType(here)],
    },
    { column: 'Outlet Kind', same: kind === wantedKind, here: kind === null ? '' : OUTLET_KIND_LABELS[kind] },
    { column: 'Quantity', same: here.quantity === row.quantity, here: String(here.quantity) },
    {
      column: 'Frequency',
      same: here.frequency === row.frequency,
      here: ASSET_FREQUENCY_LABELS[here.frequency],
    },
    {
      column: 'Last Visit',
      same: agreesWith(here.lastVisitDate, row.lastVisitDate),
      here: here.lastVisitDate ?? '',
    },
  ];
}

/** The key of a building, a room and a name. Not by name alone: a building may have thousands of assets with one name. */
function roomKey(buildingId: string, { roomName, name }: { roomName: string; name: string }): string {
  return `${buildingId}\n${nameKey(roomName)}\n${nameKey(name)}`;
}

/** Reads the assets in use that have one of the wanted names in its building, by `roomKey`, in the order of exports. */
async function assetsNamed(
  db: Queryable,
  wanted: readonly { building_id: string; name: string }[],
): Promise<Map<string, AssetHere[]>> {
  const inRooms = new Map<string, AssetHere[]>();
  const keyOf = (one: { building_id: string; name: string }) => `${one.building_id}\n${nameKey(one.name)}`;
  const oneForKey = new Map<string, { building_id: string; name: string }>();
  await forEachYielding(wanted, (one) => oneForKey.set(keyOf(one), one));
  // Only names in the file, because a building may hold many thousands of assets.
  for (const some of parts([...oneForKey.values()], READ_AT_ONCE)) {
    // By both keys, because the index of a building's names is in their order.
    const keys = some.map(({ building_id, name }) => ({
      building_id,
      name_key: nameKey(name),
      sort_key: sortKey(name),
    }));
    const there = await db.execute<{ at: number } & AssetHere>(sql`
      select w.at::int, a.name, a.description, a.type, a.outlet_kind as "outletKind", a.quantity, a.frequency,
        a.last_visit_date::text as "lastVisitDate", l.room_name as "roomName", l.floor_id as "floorId",
        f.name as "floorName", f.level
      from rows from (json_to_recordset(${JSON.stringify(keys)}::text::json)
          as (building_id uuid, name_key text, sort_key text)) with ordinality as w (building_id, name_key, sort_key, at)
      join ${assets} a on a.building_id = w.building_id and a.sort_key collate "C" = w.sort_key
        and a.name_key = w.name_key and a.retired_at is null
      join ${assetLocations} l on l.asset_id = a.id
      left join ${floors} f on f.id = l.floor_id
      order by a.id`);
    await forEachYielding(there, ({ at, ...asset }) => {
      const one = some[at - 1];
      if (one !== undefined) addTo(inRooms, roomKey(one.building_id, { ...asset, name: one.name }), asset);
    });
  }
  return inRooms;
}
