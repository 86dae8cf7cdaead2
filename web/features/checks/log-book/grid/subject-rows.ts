import type { Period } from '#shared/check-periods.ts';
import { formatImported } from '#shared/features/checks/imported.vocabulary.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { LogYear } from '#shared/features/checks/procedure-answers.ts';
import { timesIn } from '#shared/features/checks/schedule.vocabulary.ts';
import type { LogEntry } from '../records/log-entry.ts';
import { CELL_LABELS, type CellDisplayState, emptyState, partlyDone, type Span } from './grid-labels.ts';
import { byTime, resultOf } from './week-rows.ts';

export type SubjectCell = {
  state: CellDisplayState;
  /** Id of the entry that the square links to. */
  entryId: string | null;
  /** Text of the square, shown in grids whose squares have room for text: "54.1", "Pass". */
  text: string | null;
  words: string;
};
/** A subject that is or was checked at a site. */
export type SubjectRow = {
  key: string;
  /** Null for a test location that is not an asset. */
  assetId: string | null;
  name: string;
  place: string | null;
  retired: boolean;
  /** The distinct results of its entries. */
  results: ReadonlySet<LogResult>;
  cells: readonly SubjectCell[];
};

/**
 * Returns a row for each subject that is in use or has records, with a square for each period.
 * @param wanted the entries that match the page's filters; the number of visits done is still counted over all entries
 * @param textOf returns the text of a square for its entry
 */
export function subjectRows(
  subjects: LogYear['subjects'],
  periods: readonly Period[],
  { entries, wanted }: { entries: readonly LogEntry[]; wanted: readonly LogEntry[] },
  span: Span,
  textOf: (entry: LogEntry) => string | null,
): SubjectRow[] {
  const none = new Map<string, LogEntry[]>(subjects.map(({ subjectKey }) => [subjectKey, []]));
  const bySubject = groupBySubject(wanted, none);
  const allOf = wanted === entries ? bySubject : groupBySubject(entries, new Map());
  const known = new Map(subjects.map((subject) => [subject.subjectKey, subject]));
  return [...bySubject].map(([key, own]) => {
    const subject = known.get(key);
    const last = own.at(-1);
    return {
      key,
      assetId: subject?.assetId ?? last?.assetId ?? null,
      name: subject?.name ?? last?.subjectName ?? '',
      place: subject?.place ?? last?.subjectPlace ?? null,
      retired: subject === undefined,
      results: new Set(own.map(({ result }) => result)),
      cells: periods.map((period) => cellOf(period, { own, all: allOf.get(key) ?? [] }, span, textOf)),
    };
  });
}

function groupBySubject(
  entries: readonly LogEntry[],
  groups: Map<string, LogEntry[]>,
): Map<string, LogEntry[]> {
  for (const entry of [...entries].sort(byTime)) {
    const held = groups.get(entry.subjectKey);
    if (held === undefined) groups.set(entry.subjectKey, [entry]);
    else held.push(entry);
  }
  return groups;
}

function cellOf(
  period: Period,
  { own, all }: { own: readonly LogEntry[]; all: readonly LogEntry[] },
  span: Span,
  textOf: (entry: LogEntry) => string | null,
): SubjectCell {
  const isInside = ({ day }: LogEntry) => day >= period.start && day <= period.end;
  const inside = own.filter(isInside);
  const { result, deciding } = resultOf(inside);
  if (deciding === undefined) {
    const state = emptyState(period, span);
    return { state, entryId: null, text: null, words: CELL_LABELS[state] };
  }
  const isShort = result === 'pass' && daysDone(all.filter(isInside)) < timesIn(span.steps, period);
  const state = isShort ? partlyDone(period, span) : result;
  const said = deciding.reading ?? deciding.outcome;
  const { imported } = deciding;
  const marked = imported == null || imported.state === 'confirmed' ? '' : `. ${formatImported(imported)}`;
  const label = said === null ? CELL_LABELS[state] : `${said}, ${CELL_LABELS[state].toLowerCase()}`;
  return {
    state,
    entryId: deciding.id,
    text: textOf(deciding),
    words: label + marked,
  };
}

function daysDone(entries: readonly LogEntry[]): number {
  const standing = entries.filter(({ struck, result }) => !struck && result !== 'not_tested');
  return new Set(standing.map(({ day }) => day)).size;
}

/** Returns whether a row matches the page's filters. */
export function matchesSubject(
  row: SubjectRow,
  filter: { result: LogResult | null; operative: string },
): boolean {
  const { result } = filter;
  if (result !== null && !row.results.has(result) && !row.cells.some(({ state }) => state === result)) {
    return false;
  }
  return filter.operative.trim() === '' || row.cells.some(({ entryId }) => entryId !== null);
}
