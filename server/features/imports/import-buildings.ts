import { asc, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { codePrefix } from '#shared/building-code.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { createBuildingInput } from '#shared/features/locations.inputs.ts';
import { floorLabel, floorLevels } from '#shared/floors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { isOneOf } from '../../is-one-of.ts';
import { insertClients } from './import-clients.ts';
import {
  firstLines,
  type Importer,
  oneOf,
  outdated,
  parts,
  take,
  WRITE_AT_ONCE,
  wholeNumber,
} from './import-plan.ts';
import { fold } from './known-places.ts';
import { eachInTurn } from './take-turns.ts';

type Row = {
  client: string;
  name: string;
  address: string | null;
  floors: number | undefined;
  basement: boolean;
  isHealthcare: boolean;
};
type Plan = { rows: Row[]; clientIds: Map<string, string>; newClients: string[] };

const { clientName, name, address, floors: floorCount } = createBuildingInput.shape;
const YES_NO = { yes: 'Yes', no: 'No', true: 'True', false: 'False', y: 'Y', n: 'N' } as const;

export const buildingsImporter: Importer<Row, Plan> = {
  read({ cells }, fault) {
    const client = take(clientName, cells['Client'] ?? '', 'Client', fault);
    const called = take(name, cells['Building Name'] ?? '', 'Building Name', fault);
    const where = take(address, cells['Address'] ?? '', 'Address', fault);
    const wanted = (cells['Floors'] ?? '').trim();
    const count = wanted === '' ? undefined : (wholeNumber(wanted) ?? Number.NaN);
    if (Number.isNaN(count)) fault('Floors', importMessages.notNumber);
    else if (count !== undefined) take(floorCount, count, 'Floors', fault);
    const [basement, isHealthcare] = [saysYes('Basement'), saysYes('Healthcare')];
    if (client === undefined || called === undefined) return undefined;
    return { client, name: called, address: where ?? null, floors: count, basement, isHealthcare };

    /** An empty cell, or no such column, is No. */
    function saysYes(column: string): boolean {
      const said = (cells[column] ?? '').trim();
      const answer = said === '' ? 'no' : oneOf(YES_NO, said);
      if (answer === undefined) fault(column, importMessages.notOneOf('Yes, No'));
      return answer === 'yes' || answer === 'true' || answer === 'y';
    }
  },

  async resolve(db, actor, rows) {
    const known = await db
      .select({ id: clients.id, name: clients.name, archivedAt: clients.archivedAt })
      .from(clients);
    const byName = new Map(known.map((client) => [fold(client.name), client]));
    // Against the same file twice; one in the archive is nobody's second (decision 94).
    const present = await db
      .select({ clientId: buildings.clientId, name: buildings.name })
      .from(buildings)
      .where(isNull(buildings.archivedAt));
    const taken = new Set(present.map((building) => `${building.clientId}\n${fold(building.name)}`));
    const metBefore = firstLines();
    const newClients = new Map<string, string>();
    await eachInTurn(rows, ({ row, line, fault }) => {
      const client = byName.get(fold(row.client));
      const before = metBefore(`${fold(row.client)}\n${fold(row.name)}`, line);
      if (before !== undefined) fault('Building Name', importMessages.twice(before));
      if (client === undefined) {
        if (!actor.permissions.includes('create_locations')) fault('Client', messages.common.forbidden);
        newClients.set(fold(row.client), newClients.get(fold(row.client)) ?? row.client);
      } else if (client.archivedAt !== null) fault('Client', messages.locations.clientArchived);
      else if (taken.has(`${client.id}\n${fold(row.name)}`)) {
        fault('Building Name', importMessages.buildingTaken(row.name, client.name));
      }
    });
    return {
      rows: rows.map(({ row }) => row),
      clientIds: new Map(known.map((client) => [fold(client.name), client.id])),
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
        const clientId = plan.clientIds.get(fold(row.client)) ?? made.get(fold(row.client));
        if (clientId === undefined) throw new Error('a client of the plan is missing');
        return { row, id: uuidv7(), clientId, code: nextCode(row.name) };
      });
      sample ??= rows[0]?.id;
      await tx.insert(buildings).values(
        rows.map(({ row: { name, address, isHealthcare }, ...ids }) => ({
          ...ids,
          name,
          address,
          isHealthcare,
          createdAt: now,
        })),
      );
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
    const row = {
      id: sample,
      clientId: sample,
      clientName: '',
      name: '',
      code: '',
      address: null,
      floorCount: 0,
      isHealthcare: false,
      archivedAt: null,
      version: 1,
    };
    // Only those who see every building can see a new one.
    await command.recordBulkIn({ entity: 'building', row }, []);
  },
};

/** Holds the clients that are there, so that nobody archives one before its buildings are there. */
async function holdClients(tx: Transaction, plan: Plan): Promise<void> {
  const ids = new Set(plan.rows.flatMap((row) => plan.clientIds.get(fold(row.client)) ?? []));
  const held = await tx
    .select({ archivedAt: clients.archivedAt })
    .from(clients)
    .where(isOneOf(clients.id, [...ids]))
    .orderBy(asc(clients.id))
    .for('key share');
  if (held.length < ids.size || held.some(({ archivedAt }) => archivedAt !== null)) throw outdated();
}

/** Gives HAR, HAR2, HAR3 … as far as they are free, one after the other. */
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
