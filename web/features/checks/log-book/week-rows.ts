import type { Period } from '#shared/check-periods.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { MissedPeriod } from '#shared/features/checks/rows.ts';
import { isDueIn } from '#shared/features/checks/schedule.vocabulary.ts';
import { type CellDisplayState, emptyState, type Span } from './grid-labels.ts';
import type { LogEntry } from './log-entry.ts';

export type WeekRow = Period & {
  when: 'past' | 'current' | 'ahead';
  result: LogResult;
  /** Every record of the week, oldest first, corrected ones among them. */
  entries: readonly LogEntry[];
  /** What else happened in it: false alarms. They are no test of the week. */
  incidents: readonly LogEntry[];
  /** The record that stands for the week: what made it fail, else the newest. */
  deciding: LogEntry | undefined;
  /** Why nothing was recorded. */
  reason: MissedPeriod | null;
  /** The square of the week. */
  cell: CellDisplayState;
  /** Nothing was recorded, and by the site's schedule nothing had to be. */
  notDue: boolean;
};

/** A row for each period of a year, whether something was recorded in it or not. */
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
      // The present week can still be done in time.
      cell: deciding !== undefined ? result : reason !== null ? 'explained' : empty,
      notDue: deciding === undefined && !isDueIn(span.steps, period),
    };
  });
}

/**
 * Fail if any failure has no later pass of the same point in the period, else pass, else not tested. What a
 * correction has taken the place of does not count.
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

function fold(name: string): string {
  return name.trim().toLowerCase();
}

/** By day, then by the time that it was made, then by number. */
export function byTime(a: LogEntry, b: LogEntry): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  if (a.performedAt !== b.performedAt) return a.performedAt < b.performedAt ? -1 : 1;
  return a.logNumber - b.logNumber;
}

/** What the filters of the page leave of a year: a week that came to this, or holds a record that did. */
export function matchesWeek(row: WeekRow, filter: { result: LogResult | null; operative: string }): boolean {
  if (filter.result !== null) {
    const came = row.result === filter.result && row.when !== 'ahead';
    if (!came && !row.entries.some(({ result }) => result === filter.result)) return false;
  }
  const wanted = fold(filter.operative);
  if (wanted === '') return true;
  return [...row.entries, ...row.incidents].some(({ operativeName }) => fold(operativeName).includes(wanted));
}
