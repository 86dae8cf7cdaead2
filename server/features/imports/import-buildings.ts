import { and, asc, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf, isAnyOfTexts } from '#db/is-any-of.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { codePrefix } from '#shared/features/locations/building-code.ts';
import { type BuildingFields, pickBuildingFields } from '#shared/features/locations/building-fields.ts';
import { BUILDING_DETAILS } from '#shared/features/locations/building-fields.vocabulary.ts';
import { floorLabel, floorLevels } from '#shared/features/locations/floors.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { forEachYielding, mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { assertFewInUse, BUILDINGS_MAX, countInUse } from '../locations/in-use.queries.ts';
import { loadWrittenBuilding } from '../locations/place-rows.queries.ts';
import { insertClients } from './import-clients.ts';
import {
  addTo,
  type Compared,
  firstLines,
  type Importer,
  matcher,
  parts,
  READ_AT_ONCE,
  stalePlan,
  WRITE_AT_ONCE,
} from './import-plan.ts';
import { clientsNamed } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

type Plan = {
  rows: ImportRows['buildings'][];
  clientIds: Map<string, string>;
  newClients: string[];
};

/** A building in use, with the key of its name. */
type Here = BuildingFields & { id: string; clientId: string; key: string };

export const buildingsImporter: Importer<ImportRows['buildings'], Plan> = {
  async resolve(db, actor, rows, { columns }) {
    const clientsByName = await clientsNamed(
      db,
      new Set(await mapYielding(rows, ({ row }) => nameKey(row.client))),
    );
    const present = await buildingsNamed(
      db,
      new Set(await mapYielding(rows, ({ row }) => nameKey(row.name))),
    );
    const named = new Map<string, Here[]>();
    await forEachYielding(present, (one) => addTo(named, `${one.clientId}\n${one.key}`, one));
    const levels = await levelsIn(db, present);
    const metBefore = firstLines();
    const isHere = matcher<Here>(columns);
    const newClients = new Map<string, string>();
    let inUse = await countInUse(db);
    const added = await mapYielding(rows, (looked) => {
      const { row, line, fault } = looked;
      const client = clientsByName.get(nameKey(row.client));
      const before = metBefore(`${nameKey(row.client)}\n${nameKey(row.name)}`, line);
      const active = client?.archivedAt === null;
      const withKey = active ? (named.get(`${client.id}\n${nameKey(row.name)}`) ?? []) : [];
      if (isHere(looked, withKey, (one) => comparedWith(one, row, levels.get(one.id) ?? []))) return [];
      if (before !== undefined) fault('Building Name', importMessages.twice(before));
      if (client === undefined) {
        if (!actor.permissions.includes('create_locations')) fault('Client', messages.common.forbidden);
        newClients.set(nameKey(row.client), newClients.get(nameKey(row.client)) ?? row.client);
      } else if (!active) fault('Client', placeMessages.clientArchived);
      inUse += 1;
      if (inUse > BUILDINGS_MAX) fault(null, placeMessages.tooManyBuildings(BUILDINGS_MAX));
      return [row];
    });
    return {
      rows: added.flat(),
      clientIds: new Map([...clientsByName].map(([key, { id }]) => [key, id])),
      newClients: [...newClients.values()],
    };
  },

  async write(command, plan, progress) {
    const { tx, now } = command;
    await holdClients(tx, plan);
    const made = await insertClients(command, plan.newClients);
    const nextCode = codeGiver(
      (await tx.select({ code: buildings.code }).from(buildings)).map((row) => row.code),
    );
    let done = 0;
    let sample: string | undefined;
    for (const part of parts(plan.rows, WRITE_AT_ONCE)) {
      const rows = part.map((row) => {
        const clientId = plan.clientIds.get(nameKey(row.client)) ?? made.get(nameKey(row.client));
        if (clientId === undefined) throw new Error('a client of the plan is missing');
        return { row, id: uuidv7(), clientId, code: nextCode(row.name) };
      });
      sample ??= rows[0]?.id;
      await tx
        .insert(buildings)
        .values(rows.map(({ row, ...ids }) => ({ ...ids, ...pickBuildingFields(row), createdAt: now })));
      const levels = rows.flatMap(({ row, id }) =>
        floorLevels(row.floors ?? 0, row.basement).map((level) => ({
          id: uuidv7(),
          buildingId: id,
          level,
          name: floorLabel(level),
          isBasement: level < 0,
          createdAt: now,
        })),
      );
      for (const some of parts(levels, 4 * WRITE_AT_ONCE)) await tx.insert(floors).values(some);
      done += part.length;
      await progress(done);
    }
    if (sample === undefined) return;
    const row = await loadWrittenBuilding(tx, sample);
    // An empty list of buildings: only people who see all buildings can see new ones.
    await command.recordBulkIn({ entity: 'building', row }, []);
    await assertFewInUse(tx);
  },
};

/**
 * Reads the buildings in use that have one of these name keys. An archived building does not count, because no list shows it
 * (decision 94).
 */
async function buildingsNamed(db: Queryable, keys: ReadonlySet<string>): Promise<Here[]> {
  const present: Here[] = [];
  for (const some of parts([...keys], READ_AT_ONCE)) {
    const rows = await db
      .select({
        id: buildings.id,
        clientId: buildings.clientId,
        key: buildings.nameKey,
        ...pickBuildingFields(buildings),
      })
      .from(buildings)
      .where(and(isNull(buildings.archivedAt), isAnyOfTexts(buildings.nameKey, some)));
    present.push(...rows);
  }
  return present;
}

/** Reads the levels in use of buildings. */
async function levelsIn(db: Queryable, of: readonly { id: string }[]): Promise<Map<string, number[]>> {
  const levels = new Map<string, number[]>();
  for (const some of parts(of, READ_AT_ONCE)) {
    const ids = some.map(({ id }) => id);
    const rows = await db
      .select({ buildingId: floors.buildingId, level: floors.level })
      .from(floors)
      .where(and(isAnyOf(floors.buildingId, ids), isNull(floors.archivedAt)));
    await forEachYielding(rows, ({ buildingId, level }) => addTo(levels, buildingId, level));
  }
  return levels;
}

/** Floors that the file does not have may have been added later, so they are not a difference. */
function comparedWith(
  here: BuildingFields,
  row: ImportRows['buildings'],
  levels: readonly number[],
): Compared[] {
  const details = BUILDING_DETAILS.map(({ field, column }) => {
    const value = here[field];
    const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : (value ?? '');
    return { column, same: value === row[field], here: text };
  });
  const upper = levels.filter((level) => level >= 0);
  const wanted = floorLevels(row.floors ?? 0, false);
  return [
    ...details,
    {
      column: 'Floors',
      same: wanted.every((level) => upper.includes(level)),
      here: upper.length === 0 ? '' : String(upper.length),
    },
    { column: 'Basement', same: !row.basement || levels.includes(-1), here: 'No' },
  ];
}

/** Locks the existing clients, so that none is archived before its buildings are inserted. */
async function holdClients(tx: Transaction, plan: Plan): Promise<void> {
  const ids = new Set(plan.rows.flatMap((row) => plan.clientIds.get(nameKey(row.client)) ?? []));
  const held = await tx
    .select({ archivedAt: clients.archivedAt })
    .from(clients)
    .where(isAnyOf(clients.id, [...ids]))
    .orderBy(asc(clients.id))
    .for('key share');
  if (held.length < ids.size || held.some(({ archivedAt }) => archivedAt !== null)) throw stalePlan();
}

/** Returns a function that assigns codes: HAR, HAR2, HAR3 …, whichever is free next. */
function codeGiver(taken: readonly string[]): (name: string) => string {
  const codes = new Set(taken);
  const next = new Map<string, number>();
  return (name) => {
    const prefix = codePrefix(name);
    let number = next.get(prefix) ?? 1;
    let code: string;
    do {
      code = number === 1 ? prefix : `${prefix}${number}`;
      number += 1;
    } while (codes.has(code));
    next.set(prefix, number);
    codes.add(code);
    return code;
  };
}
