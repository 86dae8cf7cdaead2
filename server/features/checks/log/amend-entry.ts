import { and, eq } from 'drizzle-orm';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { isIncident } from '#shared/features/checks/incidents.vocabulary.ts';
import type { AmendEntryInput, VisitReceipt } from '#shared/features/checks/index.ts';
import { runCommand } from '../../../kernel/commands.ts';
import type { SignedInContext } from '../../../kernel/context.ts';
import { recordedName } from '../../../kernel/person-names.ts';
import { advanceLastVisitDates } from '../../assets/last-visits.writes.ts';
import { recomputeCellStatus } from '../../check-periods/check-cells.writes.ts';
import { judgeCheckTasks } from '../../tasks/tasks.writes.ts';
import { findCheckedBuilding, lockLog } from '../checked-site.ts';
import { judgeEntries, visitedBy } from '../judge-entries.ts';
import { linkLateFailure, linkRetests } from '../link-retests.ts';
import { raiseIssues } from '../raise-issues.ts';
import { assertNotInFuture } from '../schedule/check-times.ts';
import { insertEntries, worstResult } from '../store-visit.ts';
import { loadWrittenVisit } from '../visit-row.ts';

/** Answer of `checks.amend`: id and version of the visit, and the issues raised by the correction. */
export type Amended = { id: string; version: number; entryId: string; raised: VisitReceipt['raised'] };

/**
 * Corrects an entry by adding another entry with a reason; the original stays, struck through (ruling L20). The new entry is
 * judged, and raises an issue if it is a failure.
 */
export function amendEntry(ctx: SignedInContext, input: AmendEntryInput): Promise<Amended> {
  return runCommand(ctx, 'checks.amend', input, async (command) => {
    const { tx, actor, now } = command;
    const [found] = await tx
      .select({ buildingId: checkEntries.buildingId, visitId: checkEntries.visitId })
      .from(checkEntries)
      .where(and(eq(checkEntries.id, input.entryId), eq(checkEntries.kind, input.kind)));
    const site =
      found === undefined ? undefined : await findCheckedBuilding(command, actor, found.buildingId);
    if (found === undefined || site === undefined) throw new AppError('not_found');
    await lockLog(command, site.id);
    const [original] = await tx
      .select()
      .from(checkEntries)
      .where(eq(checkEntries.id, input.entryId))
      .for('update');
    const [visit] = await tx
      .select()
      .from(operativeVisits)
      .where(eq(operativeVisits.id, found.visitId))
      .for('update');
    if (original === undefined || visit === undefined) throw new AppError('not_found');
    if (original.supersededBy !== null) {
      throw new AppError('invalid', { data: { fields: { entryId: checkMessages.amendedAlready } } });
    }

    const at = { buildingId: site.id, kind: visit.kind };
    const turn = { ...at, visitDate: visit.visitDate, performedAt: visit.performedAt };
    const lines = { entries: [input.entry], pathOf: () => 'entry' };
    assertNotInFuture(input.kind, lines, visit.visitDate, { now, timeZone: site.timeZone });
    const entries = await judgeEntries(command, site, input.kind, lines);
    const [entry] = entries;
    if (entry === undefined) throw new Error('a line was judged away');
    const sameSubject = entry.subjectKey === original.subjectKey;
    if (sameSubject) entry.retestOf = original.retestOf;
    else await linkRetests(command, turn, entries);
    const known = sameSubject ? original.issueId : null;
    const raised = known === null ? await raiseIssues(command, site, entries, visit) : [];
    const issueId = raised[0]?.issueId ?? (entry.result === 'fail' ? known : null);
    const supply = supplyAmended(input, visit);
    await insertEntries(
      command,
      { ...at, visitId: visit.id, visitDate: visit.visitDate },
      entries,
      new Map(issueId === null ? [] : [[entry.id, issueId]]),
      {
        position: original.position,
        amends: original.id,
        amendReason: input.reason,
        amendedBy: actor.userId,
        amendedByName: recordedName(actor),
        amendedAt: now,
        supplyWas: supply?.was ?? null,
        supplyIs: supply?.is ?? null,
      },
    );
    await tx.update(checkEntries).set({ supersededBy: entry.id }).where(eq(checkEntries.id, original.id));

    const standing = (await loadWrittenVisit(tx, visit.id)).entries.filter(
      ({ supersededBy }) => supersededBy === null,
    );
    const version = visit.version + 1;
    await tx
      .update(operativeVisits)
      .set({
        version,
        result: worstResult(standing),
        ...(supply === undefined ? {} : { supplyRestored: supply.is }),
      })
      .where(eq(operativeVisits.id, visit.id));
    await linkLateFailure(command, turn, visit, entries);
    await advanceLastVisitDates(command, site.id, visitedBy(entries), visit.visitDate);
    const { kind } = visit;
    if (!isIncident(kind)) {
      await recomputeCellStatus(tx, { buildingId: site.id, kind }, visit.visitDate);
      await judgeCheckTasks(command, site.id, kind);
    }
    const row = await loadWrittenVisit(tx, visit.id);
    await command.record({
      op: 'put',
      entity: 'checkVisit',
      row,
      changes: {
        result: [original.result, entry.result],
        ...(sameSubject ? {} : { subjectName: [original.subjectName, entry.subjectName] }),
        ...(supply === undefined ? {} : { supplyRestored: [supply.was, supply.is] }),
        amendReason: [original.amendReason, input.reason],
      },
    });
    return { id: visit.id, version, entryId: entry.id, raised };
  });
}

/** The change of the visit's supply status by a correction; undefined if it stays the same. */
function supplyAmended(
  input: AmendEntryInput,
  { supplyRestored: was }: Pick<typeof operativeVisits.$inferSelect, 'supplyRestored'>,
): { was: boolean | null; is: boolean } | undefined {
  const is = 'supplyRestored' in input ? input.supplyRestored : undefined;
  return is === undefined || is === was ? undefined : { was, is };
}
