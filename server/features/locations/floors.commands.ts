import { asc, eq, sql } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { floors } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { floorLabel } from '#shared/features/locations/floors.ts';
import type { PlaceInput, RenameFloorInput } from '#shared/features/locations/locations.inputs.ts';
import type { Building } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import type { Changes } from '#shared/live/live.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { deleteIfEmpty, type Removed } from './archive.commands.ts';
import { floorCalled } from './floors-writing.ts';
import { bumpBuilding, lockBuilding } from './locations.commands.ts';

/** Id and version of the building, whose events report its floors. */
type Changed = { id: string; version: number };
type FloorRow = typeof floors.$inferSelect;

/** Renames a floor; an empty name restores the default name of its level. */
export function renameFloor(ctx: SignedInContext, input: RenameFloorInput): Promise<Changed> {
  return runCommand(ctx, 'locations.renameFloor', input, async (command) => {
    const { building, floor } = await lockFloor(command, input.id);
    if (floor.archivedAt !== null) throw new AppError('not_found');
    const to = input.name.to === '' ? floorLabel(floor.level) : input.name.to;
    const edit = { name: { from: input.name.from, to } };
    const { name } = mergeEdit({ name: floor.name }, building.version, edit);
    if (name === undefined) return { id: building.id, version: building.version };
    const holder = await floorCalled(command.tx, floor, name);
    if (holder !== undefined) {
      throw new AppError('invalid', {
        data: { fields: { 'name.to': placeMessages.floorTaken(holder) } },
      });
    }
    const carried = await renameOn(command, floor.id, name);
    const answer = await tell(command, building, { floorName: [floor.name, name] });
    // Assets contain the name of their floor, so clients fetch them again.
    if (carried) await command.recordBulk({ entity: 'asset', buildingId: building.id });
    return answer;
  });
}

/** Archives a floor, or deletes it if it is empty; assets on it stay in use. */
export function removeFloor(ctx: SignedInContext, input: PlaceInput): Promise<Removed> {
  return runCommand(ctx, 'locations.removeFloor', input, async (command) => {
    const { tx, now } = command;
    const { building, floor } = await lockFloor(command, input.id);
    if (floor.archivedAt !== null) throw new AppError('not_found');
    const here = eq(floors.id, floor.id);
    const deleted = await deleteIfEmpty(tx, (inner) => inner.delete(floors).where(here));
    if (!deleted) await tx.update(floors).set({ archivedAt: now }).where(here);
    const answer = await tell(command, building, { floorName: [floor.name, null] }, -1);
    return { ...answer, outcome: deleted ? 'deleted' : 'archived' };
  });
}

/** Restores a floor, unless another one has its name by now. */
export function restoreFloor(ctx: SignedInContext, input: PlaceInput): Promise<Changed> {
  return runCommand(ctx, 'locations.restoreFloor', input, async (command) => {
    const { building, floor } = await lockFloor(command, input.id);
    if (floor.archivedAt === null) return { id: building.id, version: building.version };
    const holder = await floorCalled(command.tx, floor, floor.name);
    if (holder !== undefined) {
      const message = placeMessages.floorRestoreTaken(holder);
      throw new AppError('invalid', { message, data: { fields: {} } });
    }
    await command.tx.update(floors).set({ archivedAt: null }).where(eq(floors.id, floor.id));
    return tell(command, building, { floorName: [null, floor.name] }, 1);
  });
}

/**
 * Reads a floor of a building that this person may see, and locks the building, so that its floors change one after the
 * other.
 */
async function lockFloor(command: Command, id: string): Promise<{ building: Building; floor: FloorRow }> {
  const read = () => command.tx.select().from(floors).where(eq(floors.id, id));
  const [found] = await read();
  if (found === undefined) throw new AppError('not_found');
  const building = await lockBuilding(command, found.buildingId);
  // Read again under the lock, because it may have changed in the meantime.
  const [floor] = await read();
  if (floor === undefined) throw new AppError('not_found');
  return { building, floor };
}

/**
 * Renames a floor and updates the location of the assets on it.
 * @returns whether there are any
 */
async function renameOn({ tx }: Command, id: string, name: string): Promise<boolean> {
  // Assets are locked before the floor, in the order in which a change of an asset locks them, so that they cannot
  // deadlock.
  await tx
    .select({ id: assets.id })
    .from(assets)
    .innerJoin(assetLocations, eq(assetLocations.assetId, assets.id))
    .where(eq(assetLocations.floorId, id))
    .orderBy(asc(assets.id))
    .for('update', { of: assets });
  await tx.update(floors).set({ name }).where(eq(floors.id, id));
  const carrying = await tx
    .select({ id: assetLocations.assetId })
    .from(assetLocations)
    .where(eq(assetLocations.floorId, id));
  if (carrying.length === 0) return false;
  await tx
    .update(assets)
    .set({
      location: sql`${name}::text || ', ' || (
        select l.room_name from ${assetLocations} l where l.asset_id = ${assets.id})`,
      version: sql`${assets.version} + 1`,
    })
    .where(
      isAnyOf(
        assets.id,
        carrying.map((asset) => asset.id),
      ),
    );
  return true;
}

/** @param more the change of the number of floors */
async function tell(command: Command, building: Building, changes: Changes, more = 0): Promise<Changed> {
  const row = await bumpBuilding(command, building.id, {});
  // Counted again: the number read before the lock may be outdated.
  const { floorCount } = row;
  const counted: Changes = more === 0 ? {} : { floorCount: [floorCount - more, floorCount] };
  await command.record({ op: 'put', entity: 'building', row, changes: { ...changes, ...counted } });
  return { id: row.id, version: row.version };
}
