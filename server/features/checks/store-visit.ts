import { inArray } from 'drizzle-orm';
import { checkTables } from '#db/schema/checks/index.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import type { LogResult } from '#shared/features/checks/log.words.ts';
import type { Command } from '../../commands.ts';
import { noteDone, refreshCell } from './check-cells.ts';
import { raiseIssues } from './check-issues.ts';
import { momentsOf } from './check-moments.ts';
import { type CheckedSite, nextLogNumber } from './checked-site.ts';
import { type JudgedEntry, judgeEntries, linkRetests } from './judge-entries.ts';
import { keepPlace } from './test-points.ts';
import { writtenVisit } from './visit-row.ts';

/** Who recorded it and when it came: of a record that was held, not whoever lets it in. */
export type Arrival = { recordedBy: string; receivedAt: string };

/**
 * Stores a visit with its lines and all that follows from them: issues, retests, the site's letters and schedule, and
 * the event. One transaction: the command's.
 */
export async function storeVisit(
  command: Command,
  site: CheckedSite,
  input: RecordVisitInput,
  { recordedBy, receivedAt }: Arrival,
): Promise<VisitReceipt> {
  const { tx } = command;
  const { kind, operativeName } = input;
  const { clockOffsetMs, late, performedAt, visitDate } = momentsOf(input, receivedAt);
  const visitId = input.visitId.toLowerCase();
  const siteCheck = { buildingId: site.id, kind };
  const logNumber = await nextLogNumber(command, site.id);
  const entries = await judgeEntries(command, site, kind, {
    entries: input.entries,
    pathOf: (index) => `entries.${index}`,
  });
  await refuseTakenIds(command, entries);
  await linkRetests(command, siteCheck, visitDate, entries);
  const raised = await raiseIssues(command, site, entries, { operativeName, visitDate, logNumber });

  const inserted = await tx
    .insert(operativeVisits)
    .values({
      ...siteCheck,
      id: visitId,
      operativeName,
      visitDate,
      recordedBy,
      performedAt,
      receivedAt,
      clockOffsetMs,
      late,
      durationSeconds: input.durationSeconds ?? null,
      logNumber,
      result: worstOf(entries),
    })
    .onConflictDoNothing({ target: operativeVisits.id })
    .returning({ id: operativeVisits.id });
  if (inserted.length === 0) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
  const issueOf = new Map(raised.map(({ entryId, issueId }) => [entryId, issueId]));
  await insertEntries(command, { ...siteCheck, visitId, visitDate }, entries, issueOf);
  const pointAdded = await keepPlaceOf(command, site, input, recordedBy);
  await noteDone(tx, siteCheck, visitDate);
  await refreshCell(tx, siteCheck, visitDate);

  const visit = await writtenVisit(tx, kind, visitId);
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

async function keepPlaceOf(
  command: Command,
  site: CheckedSite,
  { kind, keepPlace: wanted, entries }: RecordVisitInput,
  recordedBy: string,
): Promise<boolean> {
  const [entry] = entries;
  if (wanted !== true || entry === undefined || !('locationTested' in entry)) return false;
  return keepPlace(command, site, kind, { name: entry.locationTested, recordedBy });
}

/** What a visit as a whole came to. */
export function worstOf(entries: readonly { result: LogResult }[]): LogResult {
  if (entries.some(({ result }) => result === 'fail')) return 'fail';
  return entries.some(({ result }) => result === 'pass') ? 'pass' : 'not_tested';
}

/** @throws AppError `duplicate` for ids that are in use */
export async function refuseTakenIds({ tx }: Command, entries: readonly { id: string }[]): Promise<void> {
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
  'amends' | 'amendReason' | 'amendedBy' | 'amendedAt'
>;

/** Writes lines, each in two tables: what all kinds have, and what was read. */
export async function insertEntries(
  { tx }: Command,
  visit: { buildingId: string; kind: CheckKind; visitId: string; visitDate: string },
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
