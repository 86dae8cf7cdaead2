import { and, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { floors } from '#db/schema/places.ts';
import { type AssetEdit, createAssetInput } from '#shared/features/assets.ts';
import {
  ASSET_DEFAULTS,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets.words.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { sampleIn, TOLD_APART_MAX } from '../../live-entities.ts';
import { insertAssets, type NewAsset } from '../assets/assets.bulk.ts';
import { firstLines, type Importer, oneOf, parts, take, WRITE_AT_ONCE, wholeNumber } from './import-plan.ts';
import { buildingFinder, fold } from './known-places.ts';
import { eachInTurn, mapInTurn } from './take-turns.ts';

type Row = Omit<AssetEdit, 'floorId'> & { client: string; building: string; floor: string };

const shape = createAssetInput.shape;
/** Looked up in one statement. */
const READ_AT_ONCE = 500;

export const assetsImporter: Importer<Row, NewAsset[]> = {
  read({ cells }, fault) {
    const cell = (name: string) => (cells[name] ?? '').trim();
    const building = cell('Building Name');
    if (building === '') fault('Building Name', messages.locations.buildingRequired);
    const name = take(shape.name, cell('Name'), 'Name', fault);
    const description = take(shape.description, cell('Description'), 'Description', fault);
    const roomName = take(shape.roomName, cell('Room'), 'Room', fault);
    const count =
      cell('Quantity') === '' ? ASSET_DEFAULTS.quantity : (wholeNumber(cell('Quantity')) ?? Number.NaN);
    const quantity = take(shape.quantity, count, 'Quantity', fault);
    const lastVisitDate = take(shape.lastVisitDate, dayFrom(cell('Last Visit')), 'Last Visit', fault);
    const word = <Value extends string, Empty>(
      labels: Readonly<{ [key in Value]: string }>,
      column: string,
      empty: Empty,
    ): Value | Empty | undefined => {
      if (cell(column) === '') return empty;
      const value = oneOf(labels, cell(column));
      if (value === undefined) {
        fault(column, importMessages.notOneOf(Object.values(labels).join(', ')));
      }
      return value;
    };
    const type = word(ASSET_TYPE_LABELS, 'Type', ASSET_DEFAULTS.type);
    const outletKind = word(OUTLET_KIND_LABELS, 'Outlet Kind', null);
    const frequency = word(ASSET_FREQUENCY_LABELS, 'Frequency', ASSET_DEFAULTS.frequency);
    if (building === '' || name === undefined || description === undefined || roomName === undefined) {
      return undefined;
    }
    if (quantity === undefined || type === undefined || outletKind === undefined || frequency === undefined) {
      return undefined;
    }
    if (lastVisitDate === undefined) return undefined;
    const client = cell('Client');
    const floor = cell('Floor');
    return {
      client,
      building,
      floor,
      name,
      description,
      roomName,
      quantity,
      type,
      outletKind,
      frequency,
      lastVisitDate,
    };
  },

  async resolve(db, actor, rows) {
    const find = await buildingFinder(db, actor);
    const placed = await mapInTurn(rows, ({ row, ...rest }) => {
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
    return mapInTurn(found, ({ row, building, line, fault }) => {
      const { client: _client, building: _building, floor: wanted, ...edit } = row;
      const named = wanted === '' ? [] : (floorsNamed.get(`${building.id}\n${fold(wanted)}`) ?? []);
      const [floor] = named;
      if (wanted !== '' && floor === undefined) fault('Floor', assetMessages.floorUnknown);
      if (named.length > 1) fault('Floor', importMessages.floorUnclear(wanted));
      const key = [building.id, floor?.id, fold(row.roomName), fold(row.name)]
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
    if (ids.length > TOLD_APART_MAX) await command.recordBulkIn(sampleIn('asset', ids[0] ?? ''), ids);
    else for (const id of ids) await command.recordBulk(sampleIn('asset', id));
  },
};

type FloorName = { id: string; name: string };

/** The floors of buildings, by the building and level or name. A name may be another's level. */
async function floorsOf(db: Queryable, buildingIds: readonly string[]): Promise<Map<string, FloorName[]>> {
  const floorsNamed = new Map<string, FloorName[]>();
  for (const ids of parts(buildingIds, READ_AT_ONCE)) {
    const present = await db
      .select({ id: floors.id, buildingId: floors.buildingId, name: floors.name, level: floors.level })
      .from(floors)
      .where(and(inArray(floors.buildingId, ids), isNull(floors.archivedAt)));
    await eachInTurn(present, (floor) => {
      for (const word of new Set([String(floor.level), fold(floor.name)])) {
        const key = `${floor.buildingId}\n${word}`;
        floorsNamed.set(key, [...(floorsNamed.get(key) ?? []), floor]);
      }
    });
  }
  return floorsNamed;
}

/** What those in use are called that stand in the building of a name asked for: building, floor, room and name. */
async function keysTaken(
  db: Queryable,
  wanted: readonly { building_id: string; name: string }[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  // Only those of a name that the file has: a building may hold many thousands.
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

/** 2026-11-30 and 30/11/2026 are the same day; nothing, and "Never", is none. */
function dayFrom(text: string): string | null {
  if (text === '' || text.toLowerCase() === 'never') return null;
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
