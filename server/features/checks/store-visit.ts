import { inArray } from 'drizzle-orm';
import { checkTables } from '#db/schema/checks/index.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { Command } from '../../kernel/commands.ts';
import { advanceLastVisitDates } from '../assets/last-visits.writes.ts';
import { addCompletedDay, recomputeCellStatus } from './check-cells.ts';
import { raiseIssues } from './check-issues.ts';
import { assertNotInFuture, clampFutureTimes, isClockWrong, resolveTimes } from './check-times.ts';
import { type CheckedBuilding, nextLogNumber } from './checked-site.ts';
import { type JudgedEntry, judgeEntries, visitedBy } from './judge-entries.ts';
import { linkLateFailure, linkRetests } from './link-retests.ts';
import { saveTestPoint } from './test-points.ts';
import { loadWrittenVisit } from './visit-row.ts';

/** Who recorded it, by the name of then, and when it came: of a record that was held, not whoever lets it in. */
export type Provenance = { recordedBy: string; recordedByName: string; receivedAt: string };

/**
 * Stores a visit with its lines and all that follows from them: issues, retests, the site's letters and schedule, and
 * the event. One transaction: the command's.
 */
export async function storeVisit(
  command: Command,
  site: CheckedBuilding,
  input: RecordVisitInput,
  { recordedBy, recordedByName, receivedAt }: Provenance,
): Promise<VisitReceipt> {
  const { tx } = command;
  const { kind, operativeName } = input;
  const moments = resolveTimes(input, receivedAt);
  const { clockOffsetMs, late, performedAt, visitDate } = moments;
  const visitId = input.visitId.toLowerCase();
  const at = { buildingId: site.id, kind };
  const said = isClockWrong(clockOffsetMs)
    ? clampFutureTimes(kind, input.entries, moments, receivedAt)
    : input.entries;
  const lines = { entries: said, pathOf: (index: number) => `entries.${index}` };
  assertNotInFuture(kind, lines, visitDate, receivedAt);
  const logNumber = await nextLogNumber(command, site.id);
  const entries = await judgeEntries(command, site, kind, lines);
  await assertIdsUnused(command, entries);
  const turn = { ...at, visitDate, performedAt };
  await linkRetests(command, turn, entries);
  const raised = await raiseIssues(command, site, entries, { operativeName, visitDate, logNumber });

  const inserted = await tx
    .insert(operativeVisits)
    .values({
      ...at,
      id: visitId,
      operativeName,
      visitDate,
      recordedBy,
      recordedByName,
      performedAt,
      receivedAt,
      clockOffsetMs,
      late,
      durationSeconds: input.durationSeconds ?? null,
      ...filledAtOnceOf(input, entries),
      openSeconds: input.openSeconds ?? null,
      supplyRestored: 'supplyRestored' in input ? (input.supplyRestored ?? null) : null,
      logNumber,
      result: worstResult(entries),
    })
    .onConflictDoNothing({ target: operativeVisits.id })
    .returning({ id: operativeVisits.id });
  if (inserted.length === 0) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
  const issueOf = new Map(raised.map(({ entryId, issueId }) => [entryId, issueId]));
  await insertEntries(command, { ...at, visitId, visitDate }, entries, issueOf);
  await linkLateFailure(command, turn, { id: visitId, logNumber }, entries);
  await advanceLastVisitDates(command, site.id, visitedBy(entries), visitDate);
  const pointAdded = await keepPlaceOf(command, site, input, recordedBy);
  // Nothing is due by what happens by itself, and no period is done by it.
  if (!isIncident(kind)) {
    const siteCheck = { buildingId: site.id, kind };
    await addCompletedDay(tx, siteCheck, visitDate);
    await recomputeCellStatus(tx, siteCheck, visitDate);
  }

  const visit = await loadWrittenVisit(tx, visitId);
  await command.record({ op: 'put', entity: 'checkVisit', row: visit, changes: null });
  return {
    id: visitId,
    version: visit.version,
    logNumber,
    receivedAt,
    late,
    clockOffsetMs,
    held: false,
    pointAdded,
    raised,
  };
}

/** One press fills what passed alone, so no more than that: a figure that says more is put right, and refuses nothing. */
function filledAtOnceOf(
  { filledAtOnce: told }: RecordVisitInput,
  entries: readonly { result: LogResult }[],
): Pick<typeof operativeVisits.$inferInsert, 'filledAtOnce' | 'filledOf'> {
  if (told === undefined) return {};
  const passed = entries.filter(({ result }) => result === 'pass').length;
  return { filledAtOnce: Math.min(told, passed), filledOf: entries.length };
}

async function keepPlaceOf(
  command: Command,
  site: CheckedBuilding,
  { kind, keepPlace: wanted, entries }: RecordVisitInput,
  recordedBy: string,
): Promise<boolean> {
  const [entry] = entries;
  if (wanted !== true || isIncident(kind) || entry === undefined || !('locationTested' in entry))
    return false;
  return saveTestPoint(command, site, kind, { name: entry.locationTested, recordedBy });
}

/** What a visit as a whole came to. */
export function worstResult(entries: readonly { result: LogResult }[]): LogResult {
  if (entries.some(({ result }) => result === 'fail')) return 'fail';
  return entries.some(({ result }) => result === 'pass') ? 'pass' : 'not_tested';
}

/** @throws AppError `duplicate` for ids that are in use */
export async function assertIdsUnused({ tx }: Command, entries: readonly { id: string }[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new AppError('duplicate');
  if (ids.length === 0) return;
  const taken = await tx
    .select({ id: checkEntries.id })
    .from(checkEntries)
    .where(inArray(checkEntries.id, ids));
  if (taken.length > 0) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
}

type Correction = Pick<
  typeof checkEntries.$inferInsert,
  'amends' | 'amendReason' | 'amendedBy' | 'amendedByName' | 'amendedAt' | 'supplyWas' | 'supplyIs'
>;

/** Writes lines, each in two tables: what all kinds have, and what was read. */
export async function insertEntries(
  { tx }: Command,
  visit: { buildingId: string; kind: LogKind; visitId: string; visitDate: string },
  entries: readonly JudgedEntry[],
  issueOf: ReadonlyMap<string, string>,
  correction: { position: number } & Correction = { position: 0 },
): Promise<void> {
  if (entries.length === 0) return;
  const { position, ...corrects } = correction;
  await tx.insert(checkEntries).values(
    entries.map(({ stored: _stored, failure: _failure, ...entry }, index) => ({
      ...entry,
      ...visit,
      ...corrects,
      position: position + index,
      issueId: issueOf.get(entry.id) ?? null,
    })),
  );
  // Each line was parsed by the schema of its kind, and its table holds it: `tablesHoldTheirEntries`.
  const rows = entries.map(({ stored, id }) => ({ ...stored, id, visitId: visit.visitId })) as never;
  await tx.insert(checkTables[visit.kind]).values(rows);
}
