import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { assets } from '#db/schema/assets.ts';
import { testPoints } from '#db/schema/checks/schedules.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { subjectTypes } from '#shared/features/checks/define.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { AddTestPointInput } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { type CheckedBuilding, findCheckedBuilding } from './checked-site.ts';

/** Keeps the name of a place, so that it is offered and suggested like every call point. */
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

/** The check that is done at places which are named: its points are added. */
function kindOfPlaces(): CheckKind {
  const found = CHECK_KINDS.find((kind) => checks[kind].subject.of === 'place');
  if (found === undefined) throw new Error('no check is done at a place');
  return found;
}

/**
 * Keeps the place of a test that is being recorded, in its transaction: it is there exactly when the record is.
 * @returns whether it is new; one that the site has already, as a point or as an asset, stays as it is
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
        eq(sql`lower(${assets.name})`, place.name.toLowerCase()),
      ),
    )
    .limit(1);
  if (known !== undefined) return false;
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
