import { and, eq } from 'drizzle-orm';
import { importedVisits } from '#db/schema/checks/imported.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { importedMessages } from '#shared/features/checks/imported-messages.ts';
import type { RecordVisitInput } from '#shared/features/checks/index.ts';
import type { AnswerImportedInput } from '#shared/features/checks/queries.ts';
import { type Command, runCommand } from '../../../kernel/commands.ts';
import type { SignedInContext } from '../../../kernel/context.ts';
import { loadWrittenVisit } from '../visit-row.ts';
import { loadWrittenHeldCheck } from './held.queries.ts';
import { loadWrittenImported } from './imported.queries.ts';

/** Records that a visit comes from a file, before it is stored or held, so that the event of the visit says so. */
export async function markImported(
  { tx, actor, now, record }: Command,
  { by, byName }: NonNullable<SignedInContext['imported']>,
  { visitId, kind, visitDate }: RecordVisitInput,
): Promise<void> {
  const id = visitId.toLowerCase();
  // The person's own import needs no confirmation.
  const state = by === actor.userId ? ('confirmed' as const) : ('unconfirmed' as const);
  const inserted = await tx
    .insert(importedVisits)
    .values({
      ...{ id, kind, visitDate, state, personId: actor.userId },
      ...{ importedBy: by, importedByName: byName, importedAt: now },
    })
    // If the id is taken, storing the record fails later.
    .onConflictDoNothing({ target: importedVisits.id })
    .returning({ id: importedVisits.id });
  if (inserted.length === 0) return;
  await record({ op: 'put', entity: 'importedCheck', row: await loadWrittenImported(tx, id), changes: null });
}

/** Stores a person's answer whether they made a record imported in their name. It can be given once. */
export function answerImported(
  ctx: SignedInContext,
  input: AnswerImportedInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'checks.answerImported', input, async (command) => {
    const { tx, actor, now, record } = command;
    const id = input.id.toLowerCase();
    // Locks the import first, in the same order as `decideHeld`, which may be letting this record into the log; its
    // event then includes the answer.
    const [before] = await tx
      .select({ state: importedVisits.state, version: importedVisits.version })
      .from(importedVisits)
      .where(and(eq(importedVisits.id, id), eq(importedVisits.personId, actor.userId)))
      .for('update');
    if (before === undefined) throw new AppError('not_found');
    if (before.state !== 'unconfirmed') {
      throw new AppError('invalid', { message: importedMessages.answered, data: { fields: {} } });
    }
    const [visit] = await tx
      .select({ version: operativeVisits.version })
      .from(operativeVisits)
      .where(and(eq(operativeVisits.id, id), eq(operativeVisits.recordedBy, actor.userId)))
      .for('update');
    const state = input.confirmed ? ('confirmed' as const) : ('disputed' as const);
    await tx
      .update(importedVisits)
      .set({ state, answeredAt: now, version: before.version + 1 })
      .where(eq(importedVisits.id, id));
    const row = await loadWrittenImported(tx, id);
    await record({ op: 'put', entity: 'importedCheck', row, changes: null });
    const changes = { imported: [before.state, state] as [string, string] };
    if (visit !== undefined) {
      const version = visit.version + 1;
      await tx.update(operativeVisits).set({ version }).where(eq(operativeVisits.id, id));
      await record({ op: 'put', entity: 'checkVisit', row: await loadWrittenVisit(tx, id), changes });
    } else {
      const [held] = await tx.select({ id: heldVisits.id }).from(heldVisits).where(eq(heldVisits.id, id));
      if (held === undefined) throw new Error(`imported record ${id} is neither in the log nor held`);
      await record({ op: 'put', entity: 'heldCheck', row: await loadWrittenHeldCheck(tx, id), changes });
    }
    return { id, version: row.version };
  });
}
