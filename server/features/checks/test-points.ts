import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { assets } from '#db/schema/assets.ts';
import { testPoints } from '#db/schema/checks/schedules.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { AddTestPointInput } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { lockChecks } from '../tasks/tasks.writes.ts';
import { type CheckedBuilding, findCheckedBuilding } from './checked-site.ts';

/** Adds a test point to a building, so that it is suggested like every call point. */
export function addTestPoint(
  ctx: SignedInContext,
  input: AddTestPointInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'checks.addTestPoint', input, async (command) => {
    const { tx, actor, now } = command;
    const site = await findCheckedBuilding(command, actor, input.buildingId);
    if (site === undefined) throw new AppError('not_found');
    const point = {
      id: input.id.toLowerCase(),
      buildingId: site.id,
      kind: kindOfPlaces(),
      name: input.name,
      version: 1,
    };
    // Two concurrent commands could both add the last test point that the limit allows.
    await lockChecks(command, site.id);
    if (await isFull(command, site.id)) {
      const message = checkMessages.tooManyPoints(POINTS_MAX);
      throw new AppError('invalid', { data: { fields: { name: message } }, message });
    }
    try {
      await tx.transaction((inner) =>
        inner.insert(testPoints).values({ ...point, addedBy: actor.userId, addedAt: now }),
      );
    } catch (error) {
      if (isDuplicate(error, 'test_points_name')) {
        throw new AppError('invalid', { data: { fields: { name: checkMessages.pointTaken } } });
      }
      if (isDuplicate(error)) throw new AppError('duplicate');
      throw error;
    }
    await command.record({ op: 'put', entity: 'testPoint', row: point, changes: null });
    return { id: point.id, version: point.version };
  });
}

const POINTS_MAX = LIST_BOUNDS['checks.register'];

async function isFull({ tx }: Command, buildingId: string): Promise<boolean> {
  return (await tx.$count(testPoints, eq(testPoints.buildingId, buildingId))) >= POINTS_MAX;
}

/** The kind of check whose subject is a place; test points belong to it. */
function kindOfPlaces(): CheckKind {
  const found = CHECK_KINDS.find((kind) => checks[kind].subject.of === 'place');
  if (found === undefined) throw new Error('no check is done at a place');
  return found;
}

/**
 * Saves the place of a test as a test point, in the transaction that records the test.
 * @returns whether it is new; an existing test point or asset of that name stays unchanged, and a full site gets no new
 *   one, because the test counts without it, too
 */
export async function saveTestPoint(
  command: Command,
  site: CheckedBuilding,
  kind: CheckKind,
  place: { name: string; recordedBy: string },
): Promise<boolean> {
  const { tx, now } = command;
  const [known] = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(
      and(
        eq(assets.buildingId, site.id),
        inArray(sql`${assets.effectiveType} collate "C"`, [...subjectTypes(checks[kind].subject)]),
        isNull(assets.retiredAt),
        eq(assets.nameKey, nameKey(place.name)),
      ),
    )
    .limit(1);
  if (known !== undefined || (await isFull(command, site.id))) return false;
  const point = { id: uuidv7(), buildingId: site.id, kind, name: place.name, version: 1 };
  const inserted = await tx
    .insert(testPoints)
    .values({ ...point, addedBy: place.recordedBy, addedAt: now })
    .onConflictDoNothing()
    .returning({ id: testPoints.id });
  if (inserted.length === 0) return false;
  await command.record({ op: 'put', entity: 'testPoint', row: point, changes: null });
  return true;
}
