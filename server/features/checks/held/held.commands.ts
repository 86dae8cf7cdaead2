import { eq } from 'drizzle-orm';
import { importedVisits } from '#db/schema/checks/imported.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { type RecordVisitInput, recordVisitInput, type VisitReceipt } from '#shared/features/checks/index.ts';
import type { DecideHeldInput } from '#shared/features/checks/queries.ts';
import type { Changes } from '#shared/live/live.ts';
import { type Command, runCommand } from '../../../kernel/commands.ts';
import type { SignedInContext } from '../../../kernel/context.ts';
import { recordedName } from '../../../kernel/person-names.ts';
import { readTimeZone } from '../../../kernel/settings.ts';
import { settlePhotos } from '../../photos/photos.writes.ts';
import { findCheckedBuilding } from '../checked-site.ts';
import { resolveTimes } from '../schedule/check-times.ts';
import { storeVisit } from '../store-visit.ts';
import { loadWrittenHeldCheck } from './held.queries.ts';

/** Holds a record for an administrator, because its recorder has no access to the building or no permission to record. */
export async function holdVisit(command: Command, input: RecordVisitInput): Promise<VisitReceipt> {
  const { tx, actor, now } = command;
  const id = input.visitId.toLowerCase();
  // A date in the future is refused here too, because an administrator could not correct it.
  const { clockOffsetMs, late } = resolveTimes(input, now, await readTimeZone(tx));
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
            recordedByName: recordedName(actor),
            receivedAt: now,
            input: JSON.stringify(input),
          })
          .onConflictDoNothing({ target: heldVisits.id })
          .returning({ id: heldVisits.id });
  if (inserted.length === 0) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
  const row = await loadWrittenHeldCheck(tx, id);
  await command.record({ op: 'put', entity: 'heldCheck', row, changes: null });
  const { version } = row;
  const receipt = { id, version, logNumber: null, receivedAt: now, late, clockOffsetMs };
  return { ...receipt, held: true, pointAdded: false, nextDue: null, raised: [] };
}

/** Lets a held record into the log under its recorder's name, or refuses it for good. */
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
    // Locks the import state, because its person may be answering at the same time. Either the answer is stored first, and the
    // visit enters the log with the answer, or the person's command waits and then finds the visit in the log.
    await tx
      .select({ id: importedVisits.id })
      .from(importedVisits)
      .where(eq(importedVisits.id, held.id))
      .for('update');
    const state = input.accept ? ('accepted' as const) : ('refused' as const);
    const reason = input.accept ? null : input.reason;
    // Updated before the visit enters the log, because the row of the visit contains the name of the administrator who accepts
    // it.
    await tx
      .update(heldVisits)
      .set({ state, reason, decidedBy: actor.userId, decidedByName: recordedName(actor), decidedAt: now })
      .where(eq(heldVisits.id, held.id));
    const receipt = input.accept ? await letIn(command, held) : null;
    const row = await loadWrittenHeldCheck(tx, held.id);
    const changes: Changes = { state: [held.state, state] };
    if (reason !== null) changes['reason'] = [null, reason];
    await command.record({ op: 'put', entity: 'heldCheck', row, changes });
    return { id: row.id, version: row.version, receipt };
  });
}

async function letIn(command: Command, held: typeof heldVisits.$inferSelect): Promise<VisitReceipt> {
  const site = await findCheckedBuilding(command, command.actor, held.buildingId);
  if (site === undefined) {
    throw new AppError('invalid', { message: checkMessages.heldNowhere, data: { fields: {} } });
  }
  const { recordedBy, recordedByName, receivedAt } = held;
  const receipt = await storeVisit(command, site, recordVisitInput.parse(JSON.parse(held.input)), {
    recordedBy,
    recordedByName,
    receivedAt,
    direct: false,
  });
  await settlePhotos(command, site, { id: held.id, recordedBy });
  return receipt;
}
