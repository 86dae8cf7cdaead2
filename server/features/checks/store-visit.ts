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
import { assertNotInFuture, clampFutureTimes, isClockWrong, resolveTimes } from './check-times.ts';
import { type CheckedBuilding, nextLogNumber } from './checked-site.ts';
import { type JudgedEntry, judgeEntries, visitedBy } from './judge-entries.ts';
import { linkLateFailure, linkRetests } from './link-retests.ts';
import { raiseIssues } from './raise-issues.ts';
import { saveTestPoint } from './test-points.ts';
import { loadWrittenVisit } from './visit-row.ts';

/**
 * The recorder with the name at that time, and when the server received the record. For a held record not the
 * administrator who lets it in.
 */
export type Provenance = { recordedBy: string; recordedByName: string; receivedAt: string };

/**
 * Stores a visit with its entries and their consequences in the command's transaction: issues, retests, cell status,
 * schedule and the event.
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
  // Incidents are not scheduled, so they complete no period.
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

/**
 * The number of entries filled with one press, limited to the passed ones, because the button fills only passes. A
 * higher number is reduced rather than refused.
 */
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

/** The result of a whole visit. */
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

/** Inserts entries, each into two tables: the common one, and the one of its kind. */
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
  // The cast is safe: each entry was parsed by the schema of its kind, whose table has these columns
  // (`tablesHoldTheirEntries`).
  const rows = entries.map(({ stored, id }) => ({ ...stored, id, visitId: visit.visitId })) as never;
  await tx.insert(checkTables[visit.kind]).values(rows);
}
