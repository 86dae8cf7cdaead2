import { eq } from 'drizzle-orm';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { CHECK_PERMISSIONS } from '#shared/features/checks/define.ts';
import { type RecordVisitInput, recordVisitInput, type VisitReceipt } from '#shared/features/checks/index.ts';
import type { DecideHeldInput } from '#shared/features/checks/queries.ts';
import { type Command, runCommand } from '../../commands.ts';
import type { SignedInContext } from '../../context.ts';
import { findSite } from './checked-site.ts';
import { type EnabledChecks, refuseDisabled } from './enabled-checks.ts';
import { storeVisit } from './store-visit.ts';

/**
 * Records a visit exactly once, however often it is sent. Whoever has lost access to the site since the phone saved it,
 * or the role that records, loses nothing: the record waits for an administrator (and it is not told whether there is
 * such a site).
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
    if (!actor.permissions.includes(CHECK_PERMISSIONS.record)) return holdVisit(command, input);
    const site = await findSite(command, actor, input.buildingId);
    if (site === undefined) return holdVisit(command, input);
    return storeVisit(command, site, input, { recordedBy: actor.userId, receivedAt: now });
  });
}

async function holdVisit({ tx, actor, now }: Command, input: RecordVisitInput): Promise<VisitReceipt> {
  const id = input.visitId.toLowerCase();
  const [known] = await tx
    .select({ id: operativeVisits.id })
    .from(operativeVisits)
    .where(eq(operativeVisits.id, id));
  const inserted =
    known !== undefined
      ? []
      : await tx
          .insert(heldVisits)
          .values({
            id,
            buildingId: input.buildingId,
            kind: input.kind,
            recordedBy: actor.userId,
            receivedAt: now,
            input: JSON.stringify(input),
          })
          .onConflictDoNothing({ target: heldVisits.id })
          .returning({ id: heldVisits.id });
  if (inserted.length === 0) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
  const clockOffsetMs = Date.parse(input.deviceNow) - Date.parse(now);
  return {
    id,
    version: 1,
    logNumber: null,
    receivedAt: now,
    late: false,
    clockOffsetMs,
    held: true,
    pointAdded: false,
    raised: [],
  };
}

/** An administrator lets a held record into the log, under its recorder's name, or sets it aside for good. */
export function decideHeld(
  ctx: SignedInContext,
  input: DecideHeldInput,
): Promise<{ id: string; version: number; receipt: VisitReceipt | null }> {
  return runCommand(ctx, 'checks.decideHeld', input, async (command) => {
    const { tx, actor, now } = command;
    const [held] = await tx.select().from(heldVisits).where(eq(heldVisits.id, input.id)).for('update');
    if (held === undefined) throw new AppError('not_found');
    if (held.state !== 'held') {
      throw new AppError('invalid', { message: checkMessages.heldDone, data: { fields: {} } });
    }
    const receipt = input.accept ? await letIn(command, held) : null;
    await tx
      .update(heldVisits)
      .set({ state: input.accept ? 'accepted' : 'set_aside', decidedBy: actor.userId, decidedAt: now })
      .where(eq(heldVisits.id, held.id));
    return { id: held.id, version: receipt?.version ?? 1, receipt };
  });
}

async function letIn(command: Command, held: typeof heldVisits.$inferSelect): Promise<VisitReceipt> {
  const site = await findSite(command, command.actor, held.buildingId);
  if (site === undefined) {
    throw new AppError('invalid', { message: checkMessages.heldNowhere, data: { fields: {} } });
  }
  const { recordedBy, receivedAt } = held;
  return storeVisit(command, site, recordVisitInput.parse(JSON.parse(held.input)), {
    recordedBy,
    receivedAt,
  });
}
