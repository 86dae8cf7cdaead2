import type { Detail, Reading } from '#shared/features/checks/log-presentation.ts';
import { entryDetails, readingOf, visitDetails } from '#shared/features/checks/readings.vocabulary.ts';
import type { CheckEntry, CheckVisit } from '#shared/features/checks/rows.ts';

/** One entry with the fields of its visit that the log's tables show, for any kind. */
export type LogEntry = Pick<
  CheckVisit,
  | 'kind'
  | 'logNumber'
  | 'buildingId'
  | 'buildingName'
  | 'performedAt'
  | 'receivedAt'
  | 'late'
  | 'clockWrong'
  | 'clockOffsetMs'
  | 'operativeName'
  | 'recordedByName'
  | 'recordedByNow'
  | 'letInByName'
  | 'letInByNow'
  | 'imported'
  | 'supplyRestored'
> &
  Pick<
    CheckEntry,
    | 'id'
    | 'assetId'
    | 'subjectKey'
    | 'subjectName'
    | 'subjectPlace'
    | 'assetRetired'
    | 'result'
    | 'values'
    | 'notes'
    | 'photoIds'
    | 'issueId'
    | 'issueReference'
    | 'retestOf'
    | 'amends'
    | 'amendReason'
    | 'amendedByName'
    | 'amendedByNow'
    | 'amendedAt'
    | 'supplyAmended'
  > &
  Reading & {
    visitId: string;
    /** The day of the visit. */
    day: string;
    /** Further values of the entry besides result, reading and notes. */
    said: readonly Detail[];
    /** Values that apply to the whole visit. */
    visitSaid: readonly Detail[];
    /** The entry has been amended by a later one. */
    struck: boolean;
  };

/** Returns the entries of a visit. */
export function entriesOf(visit: CheckVisit): LogEntry[] {
  return visit.entries.map((entry) => toLogEntry(visit, entry));
}

/** Combines an entry with its visit. */
export function toLogEntry(visit: Omit<CheckVisit, 'entries'>, entry: CheckEntry): LogEntry {
  return {
    ...visit,
    ...entry,
    visitId: visit.id,
    day: visit.visitDate,
    ...readingOf(visit.kind, entry.result, entry.values),
    said: entryDetails(visit.kind, entry.values),
    visitSaid: visitDetails(visit),
    struck: entry.supersededBy !== null,
  };
}
