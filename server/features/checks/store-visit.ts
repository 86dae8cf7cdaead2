import type { Transaction } from '#db/client.ts';
import { jsonRows, rowsAsJson } from '#db/json-rows.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { RecordVisitInput, VisitReceipt } from '#shared/features/checks/index.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { CheckEntry } from '#shared/features/checks/rows.ts';
import type { Command } from '../../kernel/commands.ts';
import { firstErrorInOrder } from '../../kernel/concurrency/first-error-in-order.ts';
import { advanceLastVisitDates, lockVisitedBefore } from '../assets/last-visits.writes.ts';
import { addCompletedDay, recomputeCellStatus } from '../check-periods/check-cells.writes.ts';
import { judgeTasks, lockCheckTasks } from '../tasks/tasks.writes.ts';
import { type CheckedBuilding, nextLogNumber } from './checked-site.ts';
import { assetsNamedBy, type JudgedEntry, judgeEntries, visitedBy } from './judge-entries.ts';
import { linkLateFailure, linkRetests, readLastResults } from './link-retests.ts';
import { raiseIssues } from './raise-issues.ts';
import { assertNotInFuture, clampFutureTimes, isClockWrong, resolveTimes } from './schedule/check-times.ts';
import { readNextDue } from './schedule/next-due.queries.ts';
import { saveTestPoint } from './test-points.ts';
import { entryTable, justRecorded, loadWrittenVisit, ownEntryColumns, ownVisitColumns } from './visit-row.ts';

/**
 * The recorder, the recorder's name at the time of recording, and the time when the server received the record. For a held
 * record, the recorder is not the administrator who accepted it.
 */
export type Provenance = {
  recordedBy: string;
  recordedByName: string;
  receivedAt: string;
  /** The recorder has sent it just now: it was neither held nor imported from a file. */
  direct: boolean;
};

/**
 * Stores a visit with its entries and their consequences in the command's transaction: issues, retests, cell status,
 * schedule and the event.
 */
export async function storeVisit(
  command: Command,
  site: CheckedBuilding,
  input: RecordVisitInput,
  { recordedBy, recordedByName, receivedAt, direct }: Provenance,
): Promise<VisitReceipt> {
  const { tx } = command;
  const { kind, operativeName } = input;
  const { timeZone } = site;
  const moments = resolveTimes(input, receivedAt, timeZone);
  const { clockOffsetMs, late, performedAt, visitDate } = moments;
  const visitId = input.visitId.toLowerCase();
  const at = { buildingId: site.id, kind };
  const said = isClockWrong(clockOffsetMs)
    ? clampFutureTimes(kind, input.entries, moments, { now: receivedAt, timeZone })
    : input.entries;
  const lines = { entries: said, pathOf: (index: number) => `entries.${index}` };
  assertNotInFuture(kind, lines, visitDate, { now: receivedAt, timeZone });
  const turn = { ...at, visitDate, performedAt };
  // Most entries name their assets by id, so these queries need not wait until the entries are judged.
  const named = isIncident(kind) ? undefined : assetsNamedBy(kind, said);
  const [logNumber, entries, locked, lastResults] = await firstErrorInOrder(
    nextLogNumber(command, site.id),
    judgeEntries(command, site, kind, lines),
    ifKnown(named, (ids) => lockVisitedBefore(command, site.id, ids, visitDate)),
    ifKnown(named, (ids) => readLastResults(command, turn, ids)),
  );
  assertIdsDiffer(entries);
  // Locks the assets now; its result is awaited with the inserts.
  const advanced = advanceLastVisitDates(command, site.id, visitedBy(entries), visitDate, locked);
  advanced.catch(() => undefined);
  await linkRetests(command, turn, entries, lastResults);
  const raised = await raiseIssues(command, site, entries, { operativeName, visitDate, logNumber });
  const issueOf = new Map(raised.map(({ entryId, issueId }) => [entryId, issueId]));
  const row = {
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
  };
  const [own, written, , , pointAdded, , satisfied, nextDue] = await firstErrorInOrder(
    insertVisit(command, row),
    insertEntries(command, { ...at, visitId, visitDate }, entries, issueOf),
    linkLateFailure(command, turn, { id: visitId, logNumber }, entries),
    advanced,
    keepPlaceOf(command, site, input, recordedBy),
    completePeriod(tx, at, visitDate),
    lockCheckTasks(tx, site.id, kind),
    readNextDue(tx, at, { now: command.now, timeZone }),
  );
  await judgeTasks(command, satisfied);
  const referenceOf = new Map(raised.map(({ entryId, referenceNumber }) => [entryId, referenceNumber]));
  const stored = written.map((entry) => ({ ...entry, issueReference: referenceOf.get(entry.id) ?? null }));
  const visit = direct ? justRecorded(own, site.name, stored) : await loadWrittenVisit(tx, visitId);
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
    nextDue,
    raised,
  };
}

async function ifKnown<Value, Found>(
  value: Value | undefined,
  find: (value: Value) => Promise<Found>,
): Promise<Found | undefined> {
  return value === undefined ? undefined : find(value);
}

type NewVisit = Required<Omit<typeof operativeVisits.$inferInsert, 'version'>>;

const insertRow = statement((db, given: Given<NewVisit>) =>
  db
    .insert(operativeVisits)
    .values({
      id: given.id,
      buildingId: given.buildingId,
      operativeName: given.operativeName,
      visitDate: given.visitDate,
      kind: given.kind,
      recordedBy: given.recordedBy,
      recordedByName: given.recordedByName,
      performedAt: given.performedAt,
      receivedAt: given.receivedAt,
      clockOffsetMs: given.clockOffsetMs,
      late: given.late,
      durationSeconds: given.durationSeconds,
      filledAtOnce: given.filledAtOnce,
      filledOf: given.filledOf,
      openSeconds: given.openSeconds,
      supplyRestored: given.supplyRestored,
      logNumber: given.logNumber,
      result: given.result,
    })
    .onConflictDoNothing({ target: operativeVisits.id })
    .returning(ownVisitColumns),
);

/** @throws AppError `duplicate` if the id is taken */
async function insertVisit({ tx }: Command, row: NewVisit) {
  const [own] = await insertRow(tx, row);
  if (own === undefined) throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
  return own;
}

/** Does nothing for incidents: they are not scheduled, so they complete no period. */
async function completePeriod(
  tx: Transaction,
  { buildingId, kind }: { buildingId: string; kind: LogKind },
  day: string,
): Promise<void> {
  if (isIncident(kind)) return;
  const site = { buildingId, kind };
  await firstErrorInOrder(addCompletedDay(tx, site, day), recomputeCellStatus(tx, site, day));
}

/**
 * The number of entries filled with one press, limited to the passed ones, because the button fills only passes. A
 * higher number is reduced rather than refused.
 */
function filledAtOnceOf(
  { filledAtOnce: told }: RecordVisitInput,
  entries: readonly { result: LogResult }[],
): Pick<NewVisit, 'filledAtOnce' | 'filledOf'> {
  if (told === undefined) return { filledAtOnce: null, filledOf: null };
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

/** @throws AppError `duplicate` if two entries have the same id */
function assertIdsDiffer(entries: readonly { id: string }[]): void {
  if (new Set(entries.map(({ id }) => id)).size < entries.length) throw new AppError('duplicate');
}

type Correction = Pick<
  typeof checkEntries.$inferInsert,
  'amends' | 'amendReason' | 'amendedBy' | 'amendedByName' | 'amendedAt' | 'supplyWas' | 'supplyIs'
>;

const insertCommon = statement((db, given: Given<{ rows: string }>) =>
  db
    .insert(checkEntries)
    .select(jsonRows(checkEntries, given.rows))
    .onConflictDoNothing({ target: checkEntries.id })
    .returning({ ...ownEntryColumns, supplyWas: checkEntries.supplyWas, supplyIs: checkEntries.supplyIs }),
);

const insertReadings = statement((db, given: Given<{ rows: string }>, kind: LogKind) => {
  const { table, stored } = entryTable(kind);
  return db
    .insert(table)
    .select(jsonRows(table, given.rows))
    .returning({ id: table.id, notes: table.notes, ...stored });
});

/**
 * Inserts entries, each into two tables: the common one, and the one of its kind.
 * @param issueOf the issues that the entries raised or joined
 * @returns the entries as stored; the name of a person who amends is the name at the beginning of the call
 * @throws AppError `duplicate` if an id is in use
 */
export async function insertEntries(
  { tx }: Command,
  visit: { buildingId: string; kind: LogKind; visitId: string; visitDate: string },
  entries: readonly JudgedEntry[],
  issueOf: ReadonlyMap<string, string>,
  correction: { position: number } & Correction = { position: 0 },
): Promise<Omit<CheckEntry, 'issueReference'>[]> {
  if (entries.length === 0) return [];
  const { position, ...corrects } = correction;
  const common = insertCommon(tx, {
    rows: rowsAsJson(
      checkEntries,
      entries.map(({ stored: _stored, failure: _failure, ...entry }, index) => ({
        ...entry,
        ...visit,
        ...corrects,
        position: position + index,
        issueId: issueOf.get(entry.id) ?? null,
      })),
    ),
  }).then((rows) => {
    if (rows.length < entries.length) {
      throw new AppError('duplicate', { message: checkMessages.alreadyRecorded });
    }
    return rows;
  });
  // The cast is safe: each entry was parsed by the schema of its kind, whose table has these columns
  // (`tablesHoldTheirEntries`).
  const readingsOf = entries.map((entry) => ({
    ...entry.stored,
    id: entry.id,
    visitId: visit.visitId,
  })) as never;
  const [rows, readings] = await firstErrorInOrder(
    common,
    insertReadings(tx, { rows: rowsAsJson(entryTable(visit.kind).table, readingsOf) }, visit.kind),
  );
  const readingOf = new Map(readings.map(({ id, ...reading }) => [id, reading]));
  return rows.map(({ supplyWas, supplyIs, ...row }) => {
    const { notes = null, ...read } = readingOf.get(row.id) ?? {};
    return {
      ...row,
      amendedByNow: null,
      supplyAmended: supplyIs === null ? null : { was: supplyWas, is: supplyIs },
      notes,
      values: read,
    };
  });
}
