import { and, between, eq } from 'drizzle-orm';
import { missedPeriods } from '#db/schema/checks/schedules.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { ExplainMissedInput } from '#shared/features/checks/queries.ts';
import { isDueIn } from '#shared/features/checks/schedule.vocabulary.ts';
import { runCommand } from '../../../kernel/commands.ts';
import type { SignedInContext } from '../../../kernel/context.ts';
import { recordedName } from '../../../kernel/person-names.ts';
import { periodOfDay, recomputeCellStatus } from '../../check-periods/check-cells.writes.ts';
import { findCheckedBuilding } from '../checked-site.ts';
import { plansOf } from '../schedule/schedule-steps.queries.ts';
import { loadWrittenMissedPeriod } from './missed-periods.ts';

/** Stores the reason why a past period has no record. It can be given once and not be changed. */
export function explainMissed(
  ctx: SignedInContext,
  input: ExplainMissedInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'checks.explainMissed', input, async (command) => {
    const { tx, actor, now } = command;
    const site = await findCheckedBuilding(command, actor, input.buildingId);
    if (site === undefined) throw new AppError('not_found');
    const { kind, reason } = input;
    const period = periodOfDay(kind, input.day);
    const siteCheck = { buildingId: site.id, kind };
    const [recorded] = await tx
      .select({ id: operativeVisits.id })
      .from(operativeVisits)
      .where(
        and(
          eq(operativeVisits.buildingId, site.id),
          eq(operativeVisits.kind, kind),
          between(operativeVisits.visitDate, period.start, period.end),
        ),
      )
      .limit(1);
    const due = isDueIn(await plansOf(tx, site.id, kind), period);
    if (recorded !== undefined || !due || period.end >= dayOf(now, site.timeZone)) {
      throw new AppError('invalid', { data: { fields: { day: checkMessages.notMissed } } });
    }
    const id = input.id.toLowerCase();
    const inserted = await tx
      .insert(missedPeriods)
      .values({
        ...siteCheck,
        id,
        start: period.start,
        reason,
        explainedBy: actor.userId,
        explainedByName: recordedName(actor),
        explainedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: missedPeriods.id });
    if (inserted.length === 0) throw new AppError('duplicate', { message: checkMessages.explainedAlready });
    await recomputeCellStatus(tx, siteCheck, period.start);
    const row = await loadWrittenMissedPeriod(tx, id);
    await command.record({ op: 'put', entity: 'missedPeriod', row, changes: null });
    return { id, version: row.version };
  });
}
