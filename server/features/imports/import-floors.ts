import { and, isNull, sql } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings, floors } from '#db/schema/places.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { loadWrittenBuilding } from '../locations/place-rows.queries.ts';
import { firstLines, type Importer, matcher, parts, stalePlan, WRITE_AT_ONCE } from './import-plan.ts';
import { buildingFinder } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

type Planned = { buildingId: string; level: number; name: string };

export const floorsImporter: Importer<ImportRows['floors'], Planned[]> = {
  async resolve(db, actor, rows, { columns }) {
    const find = await buildingFinder(db, actor);
    const placed = await mapYielding(rows, ({ row, ...rest }) => {
      const building = find(row, rest.fault);
      return building === null
        ? []
        : [{ buildingId: building.id, level: row.level, name: row.name, ...rest }];
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
      .where(isAnyOf(floors.buildingId, ids));
    const taken = new Map(present.map((floor) => [`${floor.buildingId} ${floor.level}`, floor]));
    // A file of assets names floors by level or name, so no two in use may share a name.
    const names = new Map(
      present.flatMap(({ buildingId, name, archivedAt }) =>
        archivedAt === null ? [[`${buildingId} ${nameKey(name)}`, name] as const] : [],
      ),
    );
    const [metBefore, nameMetBefore] = [firstLines(), firstLines()];
    const isHere = matcher<(typeof present)[number]>(columns);
    const added = await mapYielding(planned, (looked) => {
      const { buildingId, level, name, line, fault } = looked;
      const before = metBefore(`${buildingId} ${level}`, line);
      const holder = taken.get(`${buildingId} ${level}`);
      // A repeated level is reported only in the column Level.
      if (before !== undefined) fault('Level', importMessages.twice(before));
      else if (holder === undefined) {
        const namedBefore = nameMetBefore(`${buildingId} ${nameKey(name)}`, line);
        const namesake = names.get(`${buildingId} ${nameKey(name)}`);
        if (namedBefore !== undefined) fault('Floor Name', importMessages.twice(namedBefore));
        else if (namesake !== undefined) fault('Floor Name', placeMessages.floorTaken(namesake));
        return [{ buildingId, level, name }];
      } else if (holder.archivedAt !== null) fault('Level', importMessages.floorArchived);
      else {
        const same = nameKey(holder.name) === nameKey(name);
        isHere(looked, [holder], () => [{ column: 'Floor Name', same, here: holder.name }]);
      }
      return [];
    });
    return added.flat();
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
    // Updated last and in a fixed order, so that other commands wait for these rows only during the commit.
    const ids = [...new Set(plan.map(({ buildingId }) => buildingId))].sort();
    await tx
      .update(buildings)
      .set({ version: sql`${buildings.version} + 1` })
      .where(isAnyOf(buildings.id, ids));
    const [first] = ids;
    if (first === undefined) return;
    // Checked again under the lock of the buildings, because another floor may have got one of the names in the meantime.
    const [shared] = await tx
      .select({ buildingId: floors.buildingId })
      .from(floors)
      .where(and(isAnyOf(floors.buildingId, ids), isNull(floors.archivedAt)))
      .groupBy(floors.buildingId, floors.nameKey)
      .having(sql`count(*) > 1 and bool_or(${floors.createdAt} = ${now})`)
      .limit(1);
    if (shared !== undefined) throw stalePlan();
    if (ids.length > SEPARATE_EVENTS_MAX) {
      await command.recordBulkIn({ entity: 'building', row: await loadWrittenBuilding(tx, first) }, ids);
      return;
    }
    for (const id of ids)
      await command.recordBulk({ entity: 'building', row: await loadWrittenBuilding(tx, id) });
  },
};
