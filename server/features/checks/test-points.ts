import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { assets } from '#db/schema/assets.ts';
import { testPoints } from '#db/schema/checks/schedules.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { subjectTypes } from '#shared/features/checks/define.ts';
import { checks } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import type { AddTestPointInput } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type Command, runCommand } from '../../commands.ts';
import type { SignedInContext } from '../../context.ts';
import { isDuplicate } from '../../database-errors.ts';
import { type CheckedSite, findSite } from './checked-site.ts';

/** Keeps the name of a place, so that it is offered and suggested like every call point. */
export function addTestPoint(
  ctx: SignedInContext,
  input: AddTestPointInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'checks.addTestPoint', input, async (command) => {
    const { tx, actor, now } = command;
    const site = await findSite(command, actor, input.buildingId);
    if (site === undefined) throw new AppError('not_found');
    const point = {
      id: input.id.toLowerCase(),
      buildingId: site.id,
      kind: 'fire_alarm_test' as const,
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

/**
 * Keeps the place of a test that is being recorded, in its transaction: it is there exactly when the record is.
 * @returns whether it is new; one that the site has already, as a point or as an asset, stays as it is
 */
export async function keepPlace(
  command: Command,
  site: CheckedSite,
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
