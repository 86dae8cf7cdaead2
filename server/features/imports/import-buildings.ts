import { asc, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { codePrefix } from '#shared/building-code.ts';
import { pickBuildingFields } from '#shared/features/building-fields.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { floorLabel, floorLevels } from '#shared/floors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { forEachYielding } from '../../kernel/yield-to-event-loop.ts';
import { loadWrittenBuilding } from '../locations/place-rows.queries.ts';
import { insertClients } from './import-clients.ts';
import { firstLines, type Importer, parts, stalePlan, WRITE_AT_ONCE } from './import-plan.ts';
import { foldName } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

type Plan = {
  rows: ImportRows['buildings'][];
  clientIds: Map<string, string>;
  newClients: string[];
};

export const buildingsImporter: Importer<ImportRows['buildings'], Plan> = {
  async resolve(db, actor, rows) {
    const known = await db
      .select({ id: clients.id, name: clients.name, archivedAt: clients.archivedAt })
      .from(clients);
    const byName = new Map(known.map((client) => [foldName(client.name), client]));
    // Refuses a file that was imported already. Archived buildings do not count as duplicates (decision 94).
    const present = await db
      .select({ clientId: buildings.clientId, name: buildings.name })
      .from(buildings)
      .where(isNull(buildings.archivedAt));
    const taken = new Set(present.map((building) => `${building.clientId}\n${foldName(building.name)}`));
    const metBefore = firstLines();
    const newClients = new Map<string, string>();
    await forEachYielding(rows, ({ row, line, fault }) => {
      const client = byName.get(foldName(row.client));
      const before = metBefore(`${foldName(row.client)}\n${foldName(row.name)}`, line);
      if (before !== undefined) fault('Building Name', importMessages.twice(before));
      if (client === undefined) {
        if (!actor.permissions.includes('create_locations')) fault('Client', messages.common.forbidden);
        newClients.set(foldName(row.client), newClients.get(foldName(row.client)) ?? row.client);
      } else if (client.archivedAt !== null) fault('Client', messages.locations.clientArchived);
      else if (taken.has(`${client.id}\n${foldName(row.name)}`)) {
        fault('Building Name', importMessages.buildingTaken(row.name, client.name));
      }
    });
    return {
      rows: rows.map(({ row }) => row),
      clientIds: new Map(known.map((client) => [foldName(client.name), client.id])),
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
        const clientId = plan.clientIds.get(foldName(row.client)) ?? made.get(foldName(row.client));
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
  },
};

/** Locks the existing clients, so that none is archived before its buildings are inserted. */
async function holdClients(tx: Transaction, plan: Plan): Promise<void> {
  const ids = new Set(plan.rows.flatMap((row) => plan.clientIds.get(foldName(row.client)) ?? []));
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
