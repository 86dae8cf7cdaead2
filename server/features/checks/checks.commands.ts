import { testPoints } from '#db/schema/checks/schedules.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import type { AddTestPointInput } from '#shared/features/checks/queries.ts';
import { runCommand } from '../../commands.ts';
import type { SignedInContext } from '../../context.ts';
import { isDuplicate } from '../../database-errors.ts';
import { findSite } from './checked-site.ts';
import { type EnabledChecks, refuseDisabled } from './enabled-checks.ts';
import { holdVisit } from './held.commands.ts';
import { storeVisit } from './store-visit.ts';

/**
 * Records a visit exactly once, however often it is sent. Whoever has lost access to the site since the phone saved it
 * loses nothing: the record waits for an administrator (and it is not told whether there is such a site).
 */
export function recordVisit(
  ctx: SignedInContext,
  enabled: EnabledChecks,
  input: RecordVisitInput,
): Promise<VisitReceipt> {
  refuseDisabled(enabled, input.kind);
  // The device's clock moves between two tries of the same operation, so it is no part of what makes them the same.
  const { deviceNow, ...kept } = input;
  return runCommand(ctx, 'checks.record', kept, async (command) => {
    const { actor, now } = command;
    const site = await findSite(command, actor, input.buildingId);
    if (site === undefined) return holdVisit(command, input);
    return storeVisit(command, site, input, { recordedBy: actor.userId, receivedAt: now });
  });
}

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
