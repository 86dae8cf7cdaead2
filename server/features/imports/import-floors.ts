import { and, isNull, sql } from 'drizzle-orm';
import { buildings, floors } from '#db/schema/places.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { FLOOR_NAME_MAX } from '#shared/features/locations.inputs.ts';
import { floorLabel } from '#shared/floors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { nameText } from '#shared/text.ts';
import { isOneOf } from '../../is-one-of.ts';
import { TOLD_APART_MAX } from '../../live-entities.ts';
import { writtenBuilding } from '../locations/place-rows.queries.ts';
import {
  firstLines,
  type Importer,
  outdated,
  parts,
  take,
  WRITE_AT_ONCE,
  wholeNumber,
} from './import-plan.ts';
import { buildingFinder, fold } from './known-places.ts';
import { eachInTurn, mapInTurn } from './take-turns.ts';

type Row = { client: string; building: string; level: number; name: string };
type Planned = { buildingId: string; level: number; name: string };

const LOWEST = -10;
const HIGHEST = 200;
const nameSchema = nameText().max(FLOOR_NAME_MAX, messages.common.tooLong(FLOOR_NAME_MAX));

export const floorsImporter: Importer<Row, Planned[]> = {
  read({ cells }, fault) {
    const client = (cells['Client'] ?? '').trim();
    const building = (cells['Building Name'] ?? '').trim();
    if (building === '') fault('Building Name', messages.locations.buildingNameRequired);
    const level = wholeNumber(cells['Level'] ?? '');
    const valid = level !== undefined && level >= LOWEST && level <= HIGHEST;
    if (!valid) fault('Level', importMessages.levelInvalid);
    const name = take(nameSchema, cells['Floor Name'] ?? '', 'Floor Name', fault);
    if (building === '' || !valid || name === undefined) return undefined;
    return { client, building, level, name: name === '' ? floorLabel(level) : name };
  },

  async resolve(db, actor, rows) {
    const find = await buildingFinder(db, actor);
    const placed = await mapInTurn(rows, ({ row, line, fault }) => {
      const building = find(row, fault);
      return building === null
        ? []
        : [{ buildingId: building.id, level: row.level, name: row.name, line, fault }];
    });
    const planned = placed.flat();
    const ids = [...new Set(planned.map(({ buildingId }) => buildingId))];
    const present = await db
      .select({
        buildingId: floors.buildingId,
        level: floors.level,
        name: floors.name,
        archivedAt: floors.archivedAt,
      })
      .from(floors)
      .where(isOneOf(floors.buildingId, ids));
    const taken = new Map(
      present.map(({ buildingId, level, archivedAt }) => [`${buildingId} ${level}`, archivedAt !== null]),
    );
    // How a file of assets names them, so no two in use share a name.
    const names = new Map(
      present.flatMap(({ buildingId, name, archivedAt }) =>
        archivedAt === null ? [[`${buildingId} ${fold(name)}`, name] as const] : [],
      ),
    );
    const [metBefore, nameMetBefore] = [firstLines(), firstLines()];
    await eachInTurn(planned, ({ buildingId, level, name, line, fault }) => {
      const before = metBefore(`${buildingId} ${level}`, line);
      if (before !== undefined) fault('Level', importMessages.twice(before));
      const archived = taken.get(`${buildingId} ${level}`);
      if (before === undefined && archived !== undefined) {
        fault('Level', archived ? importMessages.floorArchived : importMessages.floorTaken);
      }
      // The same level once more is told at the level.
      if (before !== undefined || archived !== undefined) return;
      const namedBefore = nameMetBefore(`${buildingId} ${fold(name)}`, line);
      const holder = names.get(`${buildingId} ${fold(name)}`);
      if (namedBefore !== undefined) fault('Floor Name', importMessages.twice(namedBefore));
      else if (holder !== undefined) fault('Floor Name', messages.locations.floorTaken(holder));
    });
    return planned.map(({ buildingId, level, name }) => ({ buildingId, level, name }));
  },

  async write(command, plan, progress) {
    const { tx, now } = command;
    let done = 0;
    for (const part of parts(plan, WRITE_AT_ONCE)) {
      await tx
        .insert(floors)
        .values(part.map((row) => ({ ...row, id: uuidv7(), isBasement: row.level < 0, createdAt: now })));
      done += part.length;
      await progress(done);
    }
    // At the very end, and always in the same order: others wait for these rows no longer than for the commit.
    const ids = [...new Set(plan.map(({ buildingId }) => buildingId))].sort();
    await tx
      .update(buildings)
      .set({ version: sql`${buildings.version} + 1` })
      .where(isOneOf(buildings.id, ids));
    const [first] = ids;
    if (first === undefined) return;
    // Holding the buildings: a floor may have been given one of the names since they were looked up.
    const [shared] = await tx
      .select({ buildingId: floors.buildingId })
      .from(floors)
      .where(and(isOneOf(floors.buildingId, ids), isNull(floors.archivedAt)))
      .groupBy(floors.buildingId, sql`lower(${floors.name})`)
      .having(sql`count(*) > 1 and bool_or(${floors.createdAt} = ${now})`)
      .limit(1);
    if (shared !== undefined) throw outdated();
    if (ids.length > TOLD_APART_MAX) {
      await command.recordBulkIn({ entity: 'building', row: await writtenBuilding(tx, first) }, ids);
      return;
    }
    for (const id of ids)
      await command.recordBulk({ entity: 'building', row: await writtenBuilding(tx, id) });
  },
};
