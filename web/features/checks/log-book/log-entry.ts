import type { Detail, Reading } from '#shared/features/checks/log-words.ts';
import { entryDetails, readingOf, visitDetails } from '#shared/features/checks/readings.vocabulary.ts';
import type { CheckEntry, CheckVisit } from '#shared/features/checks/rows.ts';

/** One record as the log's tables show it, whatever kind of check it is of: one line of one visit. */
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
    /** What was said beside result, reading and notes. */
    said: readonly Detail[];
    /** What was said of the visit as a whole. */
    visitSaid: readonly Detail[];
    /** True where a correction has taken its place. */
    struck: boolean;
  };

/** Every line of a visit. */
export function entriesOf(visit: CheckVisit): LogEntry[] {
  return visit.entries.map((entry) => toLogEntry(visit, entry));
}

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
