import { and, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { floors } from '#db/schema/places.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { todayOf } from '../../kernel/settings.ts';
import { forEachYielding, mapYielding } from '../../kernel/yield-to-event-loop.ts';
import { insertAssets, type NewAsset } from '../assets/assets.writes.ts';
import { judgeChecksIn } from '../tasks/judge-checks.writes.ts';
import { firstLines, type Importer, parts, WRITE_AT_ONCE } from './import-plan.ts';
import { buildingFinder, foldName } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

/** Keys looked up in one statement. */
const READ_AT_ONCE = 500;

export const assetsImporter: Importer<ImportRows['assets'], NewAsset[]> = {
  async resolve(db, actor, rows, now) {
    const find = await buildingFinder(db, actor);
    const today = await todayOf({ tx: db, now });
    const placed = await mapYielding(rows, ({ row, ...rest }) => {
      if (row.lastVisitDate !== null && row.lastVisitDate > today)
        rest.fault('Last Visit', assetMessages.lastVisitFuture);
      const building = find(row, rest.fault);
      return building === null ? [] : [{ row, building, ...rest }];
    });
    const found = placed.flat();
    const floorsNamed = await floorsOf(db, [...new Set(found.map(({ building }) => building.id))]);
    const taken = await keysTaken(
      db,
      found.map(({ row, building }) => ({ building_id: building.id, name: row.name })),
    );
    const metBefore = firstLines();
    return mapYielding(found, ({ row, building, line, fault }) => {
      const { client: _client, building: _building, floor: wanted, ...edit } = row;
      const named = wanted === '' ? [] : (floorsNamed.get(`${building.id}\n${foldName(wanted)}`) ?? []);
      const [floor] = named;
      if (wanted !== '' && floor === undefined) fault('Floor', assetMessages.floorUnknown);
      if (named.length > 1) fault('Floor', importMessages.floorUnclear(wanted));
      const key = [building.id, floor?.id, foldName(row.roomName), foldName(row.name)]
        .filter((part) => part !== undefined)
        .join('\n');
      const before = metBefore(key, line);
      if (before !== undefined) fault('Name', importMessages.twice(before));
      else if (taken.has(key)) fault('Name', importMessages.assetTaken);
      return {
        ...edit,
        id: uuidv7(),
        buildingId: building.id,
        buildingName: building.name,
        floorId: floor?.id ?? null,
        floorName: floor?.name ?? null,
      };
    });
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

/** Reads the floors of buildings, by building and by level or name; the name of one may be the level of another. */
async function floorsOf(db: Queryable, buildingIds: readonly string[]): Promise<Map<string, FloorName[]>> {
  const floorsNamed = new Map<string, FloorName[]>();
  for (const ids of parts(buildingIds, READ_AT_ONCE)) {
    const present = await db
      .select({ id: floors.id, buildingId: floors.buildingId, name: floors.name, level: floors.level })
      .from(floors)
      .where(and(inArray(floors.buildingId, ids), isNull(floors.archivedAt)));
    await forEachYielding(present, (floor) => {
      for (const word of new Set([String(floor.level), foldName(floor.name)])) {
        const key = `${floor.buildingId}\n${word}`;
        floorsNamed.set(key, [...(floorsNamed.get(key) ?? []), floor]);
      }
    });
  }
  return floorsNamed;
}

/** Reads the keys (building, floor, room, name) of assets in use that have one of the wanted names. */
async function keysTaken(
  db: Queryable,
  wanted: readonly { building_id: string; name: string }[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  // Only names in the file, because a building may hold many thousands of assets.
  for (const some of parts(wanted, READ_AT_ONCE)) {
    const there = await db.execute<{ key: string }>(sql`
      select concat_ws(E'\\n', ${assets.buildingId}, ${assetLocations.floorId}, lower(${assetLocations.roomName}), lower(${assets.name})) as key
      from json_to_recordset(${JSON.stringify(some)}::text::json) as wanted (building_id uuid, name text)
      join ${assets} on ${assets.buildingId} = wanted.building_id
        and lower(${assets.name}) collate "C" = lower(wanted.name) collate "C" and ${assets.retiredAt} is null
      join ${assetLocations} on ${assetLocations.assetId} = ${assets.id}`);
    for (const { key } of there) taken.add(key);
  }
  return taken;
}
