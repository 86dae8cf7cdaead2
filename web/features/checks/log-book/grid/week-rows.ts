import type { Period } from '#shared/check-periods.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { MissedPeriod } from '#shared/features/checks/rows.ts';
import { isDueIn } from '#shared/features/checks/schedule.vocabulary.ts';
import { searchKey } from '#shared/text/name-keys.ts';
import type { LogEntry } from '../records/log-entry.ts';
import { type CellDisplayState, emptyState, type Span } from './grid-labels.ts';

export type WeekRow = Period & {
  when: 'past' | 'current' | 'ahead';
  result: LogResult;
  /** All entries of the week, oldest first, including amended ones. */
  entries: readonly LogEntry[];
  /** Incidents of the week, such as false alarms; they do not count as tests. */
  incidents: readonly LogEntry[];
  /**
   * The entry that determines the result: the last failure without a retest, otherwise the last pass, otherwise the
   * last entry.
   */
  deciding: LogEntry | undefined;
  /** The reason given for the missed week. */
  reason: MissedPeriod | null;
  /** State of the week's square. */
  cell: CellDisplayState;
  /** Nothing was recorded, and nothing was due by the site's schedule. */
  notDue: boolean;
};

/** Returns a row for each period of a year, with or without records. */
export function weekRows(
  periods: readonly Period[],
  { entries, incidents }: { entries: readonly LogEntry[]; incidents: readonly LogEntry[] },
  missed: readonly MissedPeriod[],
  span: Span,
): WeekRow[] {
  const { today } = span;
  const sorted = [...entries].sort(byTime);
  const others = [...incidents].sort(byTime);
  return periods.map((period) => {
    const isInside = ({ day }: LogEntry) => day >= period.start && day <= period.end;
    const inside = sorted.filter(isInside);
    const { result, deciding } = resultOf(inside);
    const reason = missed.find((each) => each.start === period.start) ?? null;
    const empty = emptyState(period, span);
    return {
      ...period,
      when: period.end < today ? 'past' : period.start > today ? 'ahead' : 'current',
      result,
      entries: inside,
      incidents: others.filter(isInside),
      deciding,
      reason,
      // The current week counts as upcoming until it is over.
      cell: deciding !== undefined ? result : reason !== null ? 'explained' : empty,
      notDue: deciding === undefined && !isDueIn(span.steps, period),
    };
  });
}

/**
 * Returns the result of a period: fail if any failure has no later pass of the same subject in the period, else pass,
 * else not tested. Amended entries do not count.
 * @param entries in the order in which they were made
 */
export function resultOf(entries: readonly LogEntry[]): {
  result: LogResult;
  deciding: LogEntry | undefined;
} {
  const standing = entries.filter(({ struck }) => !struck);
  const unmended = standing.filter(
    (entry, index) =>
      entry.result === 'fail' &&
      !standing
        .slice(index + 1)
        .some((later) => later.result === 'pass' && later.subjectKey === entry.subjectKey),
  );
  const failed = unmended.at(-1);
  if (failed !== undefined) return { result: 'fail', deciding: failed };
  const passed = standing.findLast(({ result }) => result === 'pass');
  if (passed !== undefined) return { result: 'pass', deciding: passed };
  return { result: 'not_tested', deciding: standing.at(-1) };
}

/** Compares entries by day, then time performed, then log number. */
export function byTime(a: LogEntry, b: LogEntry): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  if (a.performedAt !== b.performedAt) return a.performedAt < b.performedAt ? -1 : 1;
  return a.logNumber - b.logNumber;
}

/** Returns whether a week matches the page's filters by its result or by any of its entries. */
export function matchesWeek(row: WeekRow, filter: { result: LogResult | null; operative: string }): boolean {
  if (filter.result !== null) {
    const came = row.result === filter.result && row.when !== 'ahead';
    if (!came && !row.entries.some(({ result }) => result === filter.result)) return false;
  }
  const wanted = searchKey(filter.operative);
  if (wanted === '') return true;
  return [...row.entries, ...row.incidents].some(({ operativeName }) =>
    searchKey(operativeName).includes(wanted),
  );
}
