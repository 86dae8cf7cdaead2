import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { buildings, clients } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { type BuildingFields, pickBuildingFields } from '#shared/features/locations/building-fields.ts';
import type {
  AddFloorsInput,
  CreateBuildingInput,
  CreateClientInput,
  RenameClientInput,
  UpdateBuildingInput,
} from '#shared/features/locations/locations.inputs.ts';
import type { Building, Client } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Changes } from '#shared/live/live.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { changesOf, mergeEdit } from '../../kernel/merge-fields.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { withFreeCode } from './building-code.ts';
import { addMissingFloors } from './floors-writing.ts';
import { assertFewInUse } from './in-use.queries.ts';
import {
  clientColumns,
  findClientByName,
  loadWrittenBuilding,
  loadWrittenBuildings,
  selectBuildings,
  toBuilding,
} from './place-rows.queries.ts';

type Changed = { id: string; version: number };

/** Adds a client. No two names may look the same, also among archived clients. */
export function createClient(ctx: SignedInContext, input: CreateClientInput): Promise<Changed> {
  return runCommand(ctx, 'locations.createClient', input, async (command) => {
    const made = await insertClient(command, input.name);
    if (made === undefined) throw await nameTaken(command, input.name, 'name');
    return { id: made.id, version: made.version };
  });
}

/** @returns undefined if the name is taken; waits for a concurrent insert of the same name */
async function insertClient({ tx, now, record }: Command, name: string): Promise<Client | undefined> {
  const [made] = await tx
    .insert(clients)
    .values({ id: uuidv7(), name, createdAt: now })
    .onConflictDoNothing()
    .returning(clientColumns);
  if (made !== undefined) await record({ op: 'put', entity: 'client', row: made, changes: null });
  return made;
}

async function nameTaken({ tx }: Command, name: string, field: string): Promise<AppError> {
  const holder = await findClientByName(tx, name);
  const { clientTaken, clientTakenArchived } = placeMessages;
  const archived = holder !== undefined && holder.archivedAt !== null;
  const sentence = (archived ? clientTakenArchived : clientTaken)(holder?.name ?? name);
  return new AppError('invalid', { data: { fields: { [field]: sentence } } });
}

/**
 * Adds a building with its floors and, if the client is given by a new name, with that client. All forms that add a
 * building use this command (ruling S2).
 */
export function createBuilding(
  ctx: SignedInContext,
  input: CreateBuildingInput,
): Promise<Changed & { clientId: string; code: string; floors: number }> {
  return runCommand(ctx, 'locations.createBuilding', input, async (command) => {
    const { tx, now } = command;
    const clientId = await clientFor(command, input);
    const id = uuidv7();
    const fields = pickBuildingFields(input);
    const code = await withFreeCode(tx, fields.name, async (free) => {
      const written = await tx
        .insert(buildings)
        .values({ id, clientId, code: free, ...fields, createdAt: now })
        .onConflictDoNothing({ target: buildings.code })
        .returning({ id: buildings.id });
      return written.length > 0;
    });
    const wanted = { id, floors: input.floors ?? 0, basement: input.basement };
    const { added } = await addMissingFloors(tx, wanted, now);
    const row = await loadWrittenBuilding(tx, id);
    await command.record({ op: 'put', entity: 'building', row, changes: null });
    await assertFewInUse(tx);
    return { id, version: row.version, clientId, code, floors: added };
  });
}

/** Returns the client's id, locked so that it is not archived before the building is inserted. */
async function clientFor(command: Command, input: CreateBuildingInput): Promise<string> {
  const field = input.clientId === undefined ? 'clientName' : 'clientId';
  const id = input.clientId ?? (await findOrMakeClient(command, input.clientName ?? '')).id;
  const [held] = await command.tx
    .select({ archivedAt: clients.archivedAt })
    .from(clients)
    .where(eq(clients.id, id))
    .for('key share');
  if (held === undefined) throw new AppError('not_found');
  if (held.archivedAt !== null) {
    throw new AppError('invalid', { data: { fields: { [field]: placeMessages.clientArchived } } });
  }
  return id;
}

async function findOrMakeClient(command: Command, name: string): Promise<Client> {
  const known = await findClientByName(command.tx, name);
  if (known !== undefined) return known;
  if (!command.actor.permissions.includes('create_locations')) throw new AppError('forbidden');
  const client = (await insertClient(command, name)) ?? (await findClientByName(command.tx, name));
  // The name was taken a moment ago, and its client was deleted again: a retry will find or insert the client.
  if (client === undefined) throw new AppError('busy');
  return client;
}

/**
 * Adds the floors that a building does not have yet. A level exists once, even if two people add it at the same time.
 */
export function addFloors(ctx: SignedInContext, input: AddFloorsInput): Promise<Changed & { added: number }> {
  return runCommand(ctx, 'locations.addFloors', input, async (command) => {
    const { tx, now } = command;
    const building = await lockBuilding(command, input.buildingId);
    const { before, added } = await addMissingFloors(tx, { ...input, id: building.id }, now);
    if (added === 0) return { id: building.id, version: building.version, added };
    const row = await bumpBuilding(command, building.id, {});
    const changes: Changes = { floorCount: [before, before + added] };
    await command.record({ op: 'put', entity: 'building', row, changes });
    return { id: building.id, version: row.version, added };
  });
}

/** Renames a client. Its buildings contain the name, so each of them changes too. */
export function renameClient(ctx: SignedInContext, input: RenameClientInput): Promise<Changed> {
  return runCommand(ctx, 'locations.renameClient', input, async (command) => {
    const { tx } = command;
    const [before] = await tx
      .select(clientColumns)
      .from(clients)
      .where(and(eq(clients.id, input.id), isNull(clients.archivedAt)))
      .for('update');
    if (before === undefined) throw new AppError('not_found');
    const { name } = mergeEdit({ name: before.name }, before.version, { name: input.name });
    if (name === undefined) return { id: before.id, version: before.version };
    const after = await setClientName(command, before.id, name);
    const renamed: [string, string] = [before.name, name];
    await command.record({ op: 'put', entity: 'client', row: after, changes: { name: renamed } });
    const theirs = and(eq(buildings.clientId, before.id), isNull(buildings.archivedAt));
    await tx
      .update(buildings)
      .set({ version: sql`${buildings.version} + 1` })
      .where(theirs);
    const rows = await loadWrittenBuildings(tx, theirs);
    const [first] = rows;
    if (first !== undefined && rows.length > SEPARATE_EVENTS_MAX) {
      const ids = rows.map(({ id }) => id);
      await command.recordBulkIn({ entity: 'building', row: { ...first, id: before.id } }, ids);
      return { id: after.id, version: after.version };
    }
    // All at once: the statements are sent together and keep their order.
    await Promise.all(
      rows.map((row) =>
        command.record({ op: 'put', entity: 'building', row, changes: { clientName: renamed } }),
      ),
    );
    return { id: after.id, version: after.version };
  });
}

async function setClientName(command: Command, id: string, name: string): Promise<Client> {
  const [other] = await command.tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(sql`${clients.nameKey} collate "C" = ${nameKey(name)}`, ne(clients.id, id)));
  if (other !== undefined) throw await nameTaken(command, name, 'name.to');
  try {
    // A savepoint, because another command may have taken the name since the check.
    return await command.tx.transaction(async (tx) => {
      const [after] = await tx
        .update(clients)
        .set({ name, version: sql`${clients.version} + 1` })
        .where(eq(clients.id, id))
        .returning(clientColumns);
      if (after === undefined) throw new Error('a locked row is gone');
      return after;
    });
  } catch (error) {
    if (isDuplicate(error, 'clients_name_key')) throw await nameTaken(command, name, 'name.to');
    throw error;
  }
}

/** Changes name, address or healthcare flag of a building, merged field by field (rule S6). */
export function updateBuilding(ctx: SignedInContext, input: UpdateBuildingInput): Promise<Changed> {
  return runCommand(ctx, 'locations.updateBuilding', input, async (command) => {
    const before = await lockBuilding(command, input.id);
    const set = mergeEdit(pickBuildingFields(before), before.version, input.changes);
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };
    const row = await bumpBuilding(command, before.id, set);
    await command.record({ op: 'put', entity: 'building', row, changes: changesOf(before, set) });
    return { id: row.id, version: row.version };
  });
}

/** Locks a building that this person may see until the end of the command. */
export async function lockBuilding({ tx, actor }: Command, id: string): Promise<Building> {
  const [row] = await selectBuildings(tx)
    .where(and(eq(buildings.id, id), visibleTo(actor, buildings.id)))
    .for('update', { of: buildings });
  if (row === undefined) throw new AppError('not_found');
  return toBuilding(row);
}

/** Updates a building, raises its version, and reads it again. */
export async function bumpBuilding(
  { tx }: Command,
  id: string,
  set: Partial<BuildingFields>,
): Promise<Building> {
  await tx
    .update(buildings)
    .set({ ...set, version: sql`${buildings.version} + 1` })
    .where(eq(buildings.id, id));
  return loadWrittenBuilding(tx, id);
}
