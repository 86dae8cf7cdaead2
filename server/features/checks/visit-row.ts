import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { alias, type PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { importedVisits } from '#db/schema/checks/imported.ts';
import { checkTables } from '#db/schema/checks/index.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckEntry, CheckVisit, EntryValues } from '#shared/features/checks/rows.ts';
import { nameNow } from '../../kernel/person-names.ts';
import { isClockWrong } from './schedule/check-times.ts';

const recorder = alias(profiles, 'recorder');
const corrector = alias(profiles, 'corrector');
const decider = alias(profiles, 'decider');

/** The columns of a visit that its own table contains. */
export const ownVisitColumns = {
  id: operativeVisits.id,
  buildingId: operativeVisits.buildingId,
  kind: operativeVisits.kind,
  visitDate: operativeVisits.visitDate,
  operativeName: operativeVisits.operativeName,
  recordedBy: operativeVisits.recordedBy,
  recordedByName: operativeVisits.recordedByName,
  performedAt: operativeVisits.performedAt,
  receivedAt: operativeVisits.receivedAt,
  clockOffsetMs: operativeVisits.clockOffsetMs,
  late: operativeVisits.late,
  durationSeconds: operativeVisits.durationSeconds,
  filledLines: operativeVisits.filledAtOnce,
  filledOf: operativeVisits.filledOf,
  openSeconds: operativeVisits.openSeconds,
  supplyRestored: operativeVisits.supplyRestored,
  logNumber: operativeVisits.logNumber,
  result: operativeVisits.result,
  version: operativeVisits.version,
};

const visitColumns = {
  ...ownVisitColumns,
  buildingName: buildings.name,
  recordedByNow: nameNow(recorder, operativeVisits.recordedByName),
  letInByName: heldVisits.decidedByName,
  letInByNow: nameNow(decider, heldVisits.decidedByName),
  importedByName: importedVisits.importedByName,
  importState: importedVisits.state,
};

/** The order of the log: by day, then by id, which follows the time of recording. */
export const oldestFirst = [asc(operativeVisits.visitDate), asc(operativeVisits.id)];

/** The base query for visits without entries: add conditions, order and limit. */
export function selectVisits(db: Queryable) {
  return db
    .select(visitColumns)
    .from(operativeVisits)
    .innerJoin(buildings, eq(buildings.id, operativeVisits.buildingId))
    .innerJoin(recorder, eq(recorder.id, operativeVisits.recordedBy))
    .leftJoin(heldVisits, and(eq(heldVisits.id, operativeVisits.id), eq(heldVisits.state, 'accepted')))
    .leftJoin(decider, eq(decider.id, heldVisits.decidedBy))
    .leftJoin(importedVisits, eq(importedVisits.id, operativeVisits.id))
    .$dynamic();
}

type BareVisit = Awaited<ReturnType<typeof selectVisits>>[number];

/** Reads the entries of visits, one query per kind, and attaches them in the order of the visits. */
export async function withEntries(db: Queryable, visits: readonly BareVisit[]): Promise<CheckVisit[]> {
  const kinds = [...new Set(visits.map(({ kind }) => kind))];
  const lines = (
    await Promise.all(
      kinds.map((kind) => {
        const ids = visits.filter((visit) => visit.kind === kind).map(({ id }) => id);
        return selectEntries(db, kind, inArray(checkEntries.visitId, ids));
      }),
    )
  ).flat();
  const byVisit = new Map<string, CheckEntry[]>();
  for (const { visitId, ...entry } of lines) {
    const theirs = byVisit.get(visitId);
    if (theirs === undefined) byVisit.set(visitId, [entry]);
    else theirs.push(entry);
  }
  return visits.map((visit) => ({ ...withClock(visit), entries: byVisit.get(visit.id) ?? [] }));
}

/** Converts a row to a visit and derives whether its clock was wrong. */
export function withClock({
  importedByName: byName,
  importState: state,
  filledLines: lines,
  filledOf: of,
  ...visit
}: BareVisit): Omit<CheckVisit, 'entries'> {
  const imported = byName === null || state === null ? null : { byName, state };
  const filledAtOnce = lines === null || of === null ? null : { lines, of };
  return { ...visit, imported, filledAtOnce, clockWrong: isClockWrong(visit.clockOffsetMs) };
}

/** Reads a visit that must exist, for the event of the command that has just written it. */
export async function loadWrittenVisit(db: Queryable, id: string): Promise<CheckVisit> {
  const [visit] = await withEntries(db, await selectVisits(db).where(eq(operativeVisits.id, id)));
  if (visit === undefined) throw new Error(`visit ${id} is gone in the transaction that wrote it`);
  return visit;
}

/**
 * The visit that a person has just recorded, as `loadWrittenVisit` would read it: it was neither imported nor held, and the
 * recorder's name is the name at the beginning of the call.
 */
export function justRecorded(
  own: Pick<BareVisit, keyof typeof ownVisitColumns>,
  buildingName: string,
  entries: CheckEntry[],
): CheckVisit {
  const noOther = {
    recordedByNow: null,
    letInByName: null,
    letInByNow: null,
    importedByName: null,
    importState: null,
  };
  return { ...withClock({ ...own, ...noOther, buildingName }), entries };
}

/** The table with the entries of a kind, and its columns specific to the kind. */
export function entryTable(kind: LogKind) {
  // Typed by the columns that all these tables share, because only those are used here.
  const table: PgTable & Pick<(typeof checkTables)[LogKind], 'id' | 'notes'> = checkTables[kind];
  const {
    id: _id,
    visitId: _visitId,
    notes: _notes,
    ...stored
  } = getTableColumns(table) as Record<string, (typeof table)['id']>;
  return { table, stored };
}

/** The columns of an entry that the table of all kinds contains. */
export const ownEntryColumns = {
  id: checkEntries.id,
  assetId: checkEntries.assetId,
  subjectKey: checkEntries.subjectKey,
  subjectName: checkEntries.subjectName,
  subjectPlace: checkEntries.subjectPlace,
  result: checkEntries.result,
  photoIds: checkEntries.photoIds,
  assetRetired: checkEntries.assetRetired,
  issueId: checkEntries.issueId,
  retestOf: checkEntries.retestOf,
  amends: checkEntries.amends,
  amendReason: checkEntries.amendReason,
  amendedByName: checkEntries.amendedByName,
  amendedAt: checkEntries.amendedAt,
  supersededBy: checkEntries.supersededBy,
};

/** Reads entries with their readings, in the order of the form; a correction follows the entry it corrects. */
export async function selectEntries(
  db: Queryable,
  kind: LogKind,
  where: SQL | undefined,
): Promise<(CheckEntry & { visitId: string })[]> {
  const { table, stored } = entryTable(kind);
  const rows = await db
    .select({
      ...ownEntryColumns,
      visitId: checkEntries.visitId,
      issueReference: buildingIssues.referenceNumber,
      amendedByNow: nameNow(corrector, checkEntries.amendedByName),
      supplyWas: checkEntries.supplyWas,
      supplyIs: checkEntries.supplyIs,
      notes: table.notes,
      values: stored,
    })
    .from(checkEntries)
    .innerJoin(table, eq(table.id, checkEntries.id))
    .leftJoin(buildingIssues, eq(buildingIssues.id, checkEntries.issueId))
    .leftJoin(corrector, eq(corrector.id, checkEntries.amendedBy))
    .where(and(eq(checkEntries.kind, kind), where))
    .orderBy(
      asc(checkEntries.visitId),
      asc(checkEntries.position),
      sql`${checkEntries.amendedAt} asc nulls first`,
      asc(checkEntries.id),
    );
  // The cast: these tables have only text, number and boolean columns.
  return rows.map(({ supplyWas, supplyIs, ...row }) => ({
    ...row,
    supplyAmended: supplyIs === null ? null : { was: supplyWas, is: supplyIs },
    values: row.values as EntryValues,
  }));
}
