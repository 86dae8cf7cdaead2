import { and, eq } from 'drizzle-orm';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { buildings } from '#db/schema/places.ts';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { nameOfCopy } from '#shared/features/assets/asset-filter.ts';
import {
  ASSET_NAME_MAX,
  type Asset,
  type AssetEdit,
  type CreateAssetInput,
  type DuplicateAssetInput,
  type RetireAssetInput,
  type UpdateAssetInput,
} from '#shared/features/assets/assets.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { TIME_ZONE, todayOf } from '../../kernel/settings.ts';
import { judgeChecks } from '../tasks/judge-checks.writes.ts';
import { lockChecks } from '../tasks/tasks.writes.ts';
import { changesBetween, floorNameIn, loadWrittenAsset, selectAssets } from './asset-row.ts';
import { getAsset, visibleAsset } from './assets.queries.ts';
import { insertAssets, locationOf, type NewAsset } from './assets.writes.ts';

type Answer = { id: string; version: number };

/** Adds an asset to a building that the person may see, on one of that building's floors or on none. */
export function createAsset(ctx: SignedInContext, input: CreateAssetInput): Promise<Answer> {
  return runCommand(ctx, 'assets.create', input, async (command) => {
    const { operationId: _operation, lastVisitDate: given, ...fields } = input;
    const [building] = await command.tx
      .select({ name: buildings.name, timeZone: TIME_ZONE })
      .from(buildings)
      .where(and(eq(buildings.id, input.buildingId), visibleTo(command.actor, buildings.id)));
    if (building === undefined) throw new AppError('not_found');
    const floorName = await nameOfFloor(command, input.buildingId, input.floorId, false, 'floorId');
    const today = dayOf(command.now, building.timeZone);
    // `null` is an asset that was never visited, which is due at once.
    const lastVisitDate = given === undefined ? today : given;
    assertVisited(lastVisitDate, today, 'lastVisitDate');
    return add(command, { ...fields, lastVisitDate, buildingName: building.name, floorName });
  });
}

/** Copies an asset that the person may see, to the same place. If its floor is archived, the copy has no floor. */
export function duplicateAsset(ctx: SignedInContext, input: DuplicateAssetInput): Promise<Answer> {
  return runCommand(ctx, 'assets.duplicate', input, async (command) => {
    const source = await getAsset(command.tx, command.actor, input.sourceId);
    const { buildingId, floorId } = source;
    const floorName =
      floorId === null ? undefined : await floorNameIn(command.tx, buildingId, floorId, false);
    return add(command, {
      ...editable(source),
      floorId: floorName === undefined ? null : floorId,
      floorName: floorName ?? null,
      id: input.id,
      name: input.name ?? nameOfCopy(source.name, ASSET_NAME_MAX),
      lastVisitDate: await todayOf(command),
      buildingId,
      buildingName: source.buildingName,
    });
  });
}

/** @param field path of the field that gets the error */
function assertVisited(lastVisitDate: string | null, today: string, field: string): void {
  if (lastVisitDate === null || lastVisitDate <= today) return;
  throw new AppError('invalid', { data: { fields: { [field]: assetMessages.lastVisitFuture } } });
}

async function add(command: Command, values: NewAsset): Promise<Answer> {
  const [made] = await insertAssets(command.tx, [values], command.now);
  if (made === undefined) throw await takenId(command, values.id);
  const asset = await loadWrittenAsset(command.tx, made);
  await command.record({ op: 'put', entity: 'asset', row: asset, changes: null });
  await lockChecks(command, asset.buildingId);
  await judgeChecks(command, asset.buildingId);
  return { id: asset.id, version: asset.version };
}

/**
 * Returns the error for an id that is taken. Clients make ids, so the error must not reveal an asset that the person may
 * not see.
 */
async function takenId({ tx, actor }: Command, id: string): Promise<AppError> {
  const [seen] = await tx.select({ id: assets.id }).from(assets).where(visibleAsset(actor, id));
  return new AppError(seen === undefined ? 'not_found' : 'duplicate');
}

/**
 * Changes fields of an asset, merged field by field under the row's lock (rule S6).
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored
 */
export function updateAsset(ctx: SignedInContext, input: UpdateAssetInput): Promise<Answer> {
  return runCommand(ctx, 'assets.update', input, async (command) => {
    // Type and name decide whether an asset is a subject of a check.
    const mayChangeType = input.changes.type !== undefined || input.changes.name !== undefined;
    if (mayChangeType) await lockChecksOf(command, input.id);
    const before = await lockAsset(command, input.id);
    if (before.retiredAt !== null) {
      throw new AppError('invalid', { data: { fields: {} }, message: assetMessages.retiredNotEdited });
    }
    const set = mergeEdit(editable(before), before.version, lowerCaseIds(input.changes));
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };
    if (set.lastVisitDate != null)
      assertVisited(set.lastVisitDate, await todayOf(command), 'changes.lastVisitDate.to');
    const { floorId, roomName, ...fields } = { ...editable(before), ...set };
    const kept = floorId === before.floorId;
    const floorName = await nameOfFloor(command, before.buildingId, floorId, kept, 'changes.floorId.to');
    await command.tx
      .update(assetLocations)
      .set({ floorId, roomName })
      .where(eq(assetLocations.assetId, before.id));
    const answer = await change(command, before, { ...fields, location: locationOf(floorName, roomName) });
    if (mayChangeType) await judgeChecks(command, before.buildingId);
    return answer;
  });
}

/** Takes an asset out of use. Its row stays, and it can be restored. */
export function retireAsset(ctx: SignedInContext, input: RetireAssetInput): Promise<Answer> {
  return setRetired(ctx, 'assets.retire', input, true);
}

/** Takes a retired asset back into use. */
export function restoreAsset(ctx: SignedInContext, input: RetireAssetInput): Promise<Answer> {
  return setRetired(ctx, 'assets.restore', input, false);
}

function setRetired(
  ctx: SignedInContext,
  procedure: string,
  input: RetireAssetInput,
  retired: boolean,
): Promise<Answer> {
  return runCommand(ctx, procedure, input, async (command) => {
    await lockChecksOf(command, input.id);
    const before = await lockAsset(command, input.id);
    if ((before.retiredAt !== null) === retired) return { id: before.id, version: before.version };
    const answer = await change(command, before, { retiredAt: retired ? command.now : null });
    await judgeChecks(command, before.buildingId);
    return answer;
  });
}

/**
 * Locks the log of checks of an asset's building before the asset, in the order in which a visit locks them. After the
 * change, checks and the tasks that they satisfy are judged again, and no other command must record or judge in the meantime.
 */
async function lockChecksOf(command: Command, id: string): Promise<void> {
  const { tx, actor } = command;
  const [place] = await tx
    .select({ buildingId: assets.buildingId })
    .from(assets)
    .where(visibleAsset(actor, id));
  if (place === undefined) throw new AppError('not_found');
  await lockChecks(command, place.buildingId);
}

async function change(
  command: Command,
  before: Asset,
  set: Partial<typeof assets.$inferInsert>,
): Promise<Answer> {
  const { tx, now } = command;
  await tx
    .update(assets)
    .set({ ...set, updatedAt: now, version: before.version + 1 })
    .where(eq(assets.id, before.id));
  const asset = await loadWrittenAsset(tx, before.id);
  await command.record({ op: 'put', entity: 'asset', row: asset, changes: changesBetween(before, asset) });
  return { id: asset.id, version: asset.version };
}

/** Locks an asset that this person may see until the end of the command. */
async function lockAsset({ tx, actor }: Command, id: string): Promise<Asset> {
  // Lock first, then read with joins: a statement that waited for the lock would return the old floor.
  const [locked] = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(visibleAsset(actor, id))
    .for('update');
  if (locked === undefined) throw new AppError('not_found');
  const [asset] = await selectAssets(tx).where(eq(assets.id, locked.id));
  if (asset === undefined) throw new AppError('not_found');
  return asset;
}

/** @param field path of the field that gets the error if the floor is not in this building */
async function nameOfFloor(
  { tx }: Command,
  buildingId: string,
  floorId: string | null,
  kept: boolean,
  field: string,
): Promise<string | null> {
  if (floorId === null) return null;
  const found = await floorNameIn(tx, buildingId, floorId, kept);
  if (found !== undefined) return found;
  throw new AppError('invalid', { data: { fields: { [field]: assetMessages.floorUnknown } } });
}

function editable(row: Asset): AssetEdit {
  const { name, description, type, outletKind, quantity, lastVisitDate, frequency, floorId, roomName } = row;
  return { name, description, type, outletKind, quantity, lastVisitDate, frequency, floorId, roomName };
}

/** Ids in the database are lower case; clients may send upper case. */
function lowerCaseIds(changes: UpdateAssetInput['changes']): UpdateAssetInput['changes'] {
  if (changes.floorId === undefined) return changes;
  const { from, to } = changes.floorId;
  return { ...changes, floorId: { from: from?.toLowerCase() ?? null, to: to?.toLowerCase() ?? null } };
}
