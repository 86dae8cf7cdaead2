import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { issueTallies } from '#db/schema/issues.ts';
import { profiles, userLocationAccess } from '#db/schema/people.ts';
import { buildings, clients, counters } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import type { PlaceInput } from '#shared/features/locations/locations.inputs.ts';
import type { Building } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isReferenced } from '../../kernel/database-errors.ts';
import { recordAccessOfDisplays } from '../displays/displays.writes.ts';
import { countBuildingDependents } from './archive.queries.ts';
import { publishBuildings, publishListReset, publishPeople } from './archive-events.ts';
import { assertFewInUse } from './in-use.queries.ts';
import { clientColumns, loadWrittenBuildingsByIds } from './place-rows.queries.ts';

/** `deleted` if nothing referred to the place, else `archived`: records are never destroyed (ruling S4). */
export type Removed = { id: string; version: number; outcome: 'archived' | 'deleted' };
type Restored = { id: string; version: number };

/** Archives or deletes a building. */
export function removeBuilding(ctx: SignedInContext, input: PlaceInput): Promise<Removed> {
  return runCommand(ctx, 'locations.removeBuilding', input, async (command) => {
    const { tx, now } = command;
    const { id } = input;
    const people = await lockPeopleOf(tx, [id]);
    const [before] = await lockBuildingRows(tx, [id]);
    if (before === undefined || before.archivedAt !== null) throw new AppError('not_found');
    people.push(...(await lockPeopleOf(tx, [id], people)));
    const version = before.version + 1;
    // Deleting is tried only if it may succeed: it locks the counters, and a save that waits for the building may have locked
    // them already.
    const records = await countBuildingDependents(tx, id);
    if (records.length === 0 && (await deleteIfEmpty(tx, (inner) => deleteBuilding(inner, id)))) {
      await command.record({ op: 'del', entity: 'building', row: { ...before, version }, changes: null });
      await publishPeople(command, people, { lost: [id] });
      return { id, version, outcome: 'deleted' };
    }
    await setArchived(tx, [id], now);
    await publishBuildings(command, [before], now);
    await publishPeople(command, people, { lost: [id] });
    await recordAccessOfDisplays(command, [id]);
    await publishListReset(command, [id]);
    return { id, version, outcome: 'archived' };
  });
}

/** Archives a client with all its buildings, or deletes it if it has none. */
export function removeClient(ctx: SignedInContext, input: PlaceInput): Promise<Removed> {
  return runCommand(ctx, 'locations.removeClient', input, async (command) => {
    const { tx, now } = command;
    const { id } = input;
    let people = await lockPeopleOf(tx, await buildingsOf(tx, id, null));
    const [before] = await tx.select(clientColumns).from(clients).where(eq(clients.id, id)).for('update');
    if (before === undefined || before.archivedAt !== null) throw new AppError('not_found');
    const version = before.version + 1;
    if (await deleteIfEmpty(tx, (inner) => inner.delete(clients).where(eq(clients.id, id)))) {
      await command.record({ op: 'del', entity: 'client', row: { ...before, version }, changes: null });
      return { id, version, outcome: 'deleted' };
    }
    const ids = await buildingsOf(tx, id, null);
    const theirs = await lockBuildingRows(tx, ids);
    people = [...people, ...(await lockPeopleOf(tx, ids, people))];
    await tx.update(clients).set({ archivedAt: now, version }).where(eq(clients.id, id));
    await setArchived(tx, ids, now);
    await command.record({
      op: 'put',
      entity: 'client',
      row: { ...before, archivedAt: now, version },
      changes: { archivedAt: [null, now] },
    });
    await publishBuildings(command, theirs, now);
    await publishPeople(command, people, { lost: ids });
    await recordAccessOfDisplays(command, ids);
    await publishListReset(command, ids);
    return { id, version, outcome: 'archived' };
  });
}

/** Restores a building to the people it was assigned to. */
export function restoreBuilding(ctx: SignedInContext, input: PlaceInput): Promise<Restored> {
  return runCommand(ctx, 'locations.restoreBuilding', input, async (command) => {
    const { tx } = command;
    const { id } = input;
    const people = await lockPeopleOf(tx, [id]);
    const [before] = await lockBuildingRows(tx, [id]);
    if (before === undefined) throw new AppError('not_found');
    if (before.archivedAt === null) return { id, version: before.version };
    const [client] = await tx
      .select({ archivedAt: clients.archivedAt })
      .from(clients)
      .where(eq(clients.id, before.clientId))
      .for('key share');
    if (client === undefined || client.archivedAt !== null) {
      throw new AppError('invalid', { message: placeMessages.clientArchived, data: { fields: {} } });
    }
    await bringBack(command, [before], people);
    return { id, version: before.version + 1 };
  });
}

/** Restores a client with the buildings that were archived with it. */
export function restoreClient(ctx: SignedInContext, input: PlaceInput): Promise<Restored> {
  return runCommand(ctx, 'locations.restoreClient', input, async (command) => {
    const { tx } = command;
    const { id } = input;
    const [before] = await tx.select(clientColumns).from(clients).where(eq(clients.id, id)).for('update');
    if (before === undefined) throw new AppError('not_found');
    if (before.archivedAt === null) return { id, version: before.version };
    const ids = await buildingsOf(tx, id, before.archivedAt);
    const people = await lockPeopleOf(tx, ids);
    const theirs = await lockBuildingRows(tx, ids);
    const version = before.version + 1;
    await tx.update(clients).set({ archivedAt: null, version }).where(eq(clients.id, id));
    await command.record({
      op: 'put',
      entity: 'client',
      row: { ...before, archivedAt: null, version },
      changes: { archivedAt: [before.archivedAt, null] },
    });
    await bringBack(command, theirs, people);
    return { id, version };
  });
}

async function bringBack(command: Command, theirs: readonly Building[], people: string[]): Promise<void> {
  const ids = theirs.map(({ id }) => id);
  await setArchived(command.tx, ids, null);
  // Access first, so that these people receive the events of the building.
  const theirPeople = [...people, ...(await lockPeopleOf(command.tx, ids, people))];
  await publishPeople(command, theirPeople, { gained: ids });
  await recordAccessOfDisplays(command, ids);
  await publishBuildings(command, theirs, null);
  await publishListReset(command, ids);
  await assertFewInUse(command.tx);
}

/** The buildings of a client that were archived at that moment; null for those in use. */
async function buildingsOf(tx: Transaction, clientId: string, archivedAt: string | null): Promise<string[]> {
  const rows = await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(
      and(
        eq(buildings.clientId, clientId),
        archivedAt === null ? isNull(buildings.archivedAt) : eq(buildings.archivedAt, archivedAt),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * Locks the people to whom one of these buildings is assigned. Called before the buildings are locked, in the order of granting,
 * so that archiving and granting cannot deadlock, and again afterwards, for people added in between. Locks with `no key update`,
 * which does not block a save that has locked the building and writes the id of its author.
 */
async function lockPeopleOf(
  tx: Transaction,
  buildingIds: readonly string[],
  known: readonly string[] = [],
): Promise<string[]> {
  if (buildingIds.length === 0) return [];
  const given = await tx
    .selectDistinct({ id: userLocationAccess.userId })
    .from(userLocationAccess)
    .where(isAnyOf(userLocationAccess.buildingId, buildingIds));
  const before = new Set(known);
  const ids = given.map(({ id }) => id).filter((id) => !before.has(id));
  if (ids.length === 0) return [];
  await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(isAnyOf(profiles.id, ids))
    .orderBy(asc(profiles.id))
    .for('no key update');
  return ids;
}

/** Locks buildings, also against new rows that refer to them: a grant waits until the archiving is decided. */
async function lockBuildingRows(tx: Transaction, ids: readonly string[]): Promise<Building[]> {
  if (ids.length === 0) return [];
  await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(isAnyOf(buildings.id, ids))
    .orderBy(asc(buildings.id))
    .for('update');
  return loadWrittenBuildingsByIds(tx, ids);
}

/**
 * Deletes a row unless other rows refer to it, by their foreign keys.
 * @returns whether it was deleted
 */
export async function deleteIfEmpty(
  tx: Transaction,
  remove: (tx: Transaction) => PromiseLike<unknown>,
): Promise<boolean> {
  try {
    await tx.transaction(async (inner) => {
      await remove(inner);
    });
    return true;
  } catch (error) {
    if (isReferenced(error)) return false;
    throw error;
  }
}

async function deleteBuilding(tx: Transaction, id: string): Promise<void> {
  // None of these rows are records: access, tallies and counters.
  await tx.delete(userLocationAccess).where(eq(userLocationAccess.buildingId, id));
  await tx.delete(issueTallies).where(eq(issueTallies.buildingId, id));
  await tx.delete(counters).where(eq(counters.buildingId, id));
  await tx.delete(buildings).where(eq(buildings.id, id));
}

async function setArchived(
  tx: Transaction,
  ids: readonly string[],
  archivedAt: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(buildings)
    .set({ archivedAt, version: sql`${buildings.version} + 1` })
    .where(isAnyOf(buildings.id, ids));
}
