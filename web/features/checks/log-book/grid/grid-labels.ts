import type { Period } from '#shared/check-periods.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import { CELL_STATUSES } from '#shared/features/checks/procedure-answers.ts';
import { isExpectedIn, type ScheduleStep } from '#shared/features/checks/schedule.vocabulary.ts';
import { MONTH_NAMES } from '../period-name.ts';

/**
 * State of one square. `ahead`: not due yet. `off`: not due, or before the site's first day of checks. `begun` and
 * `partial`: partly done, because a subject or a day is missing; `begun` during the period, `partial` after it.
 */
export type CellDisplayState = LogResult | 'begun' | 'partial' | 'explained' | 'ahead' | 'off';

export const CELL_LABELS: Readonly<Record<CellDisplayState, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  not_tested: 'Not tested',
  begun: 'Partly done, so far',
  partial: 'Partly done',
  explained: 'Not tested, explained',
  ahead: 'Upcoming',
  off: 'Not due',
};

/** Labels of the states for screen readers. */
export const CELL_ARIA_LABELS: Readonly<Record<CellDisplayState, string>> = {
  pass: 'passed',
  fail: 'failed',
  not_tested: 'not tested',
  begun: 'partly done, so far',
  partial: 'partly done',
  explained: 'not tested, explained',
  ahead: 'upcoming',
  off: 'not due',
};

/** Returns the share of passed among the due periods, in whole per cent; null when none was due. */
export function passRate(cells: readonly CellDisplayState[]): number | null {
  const due = cells.filter((cell) => cell !== 'begun' && cell !== 'ahead' && cell !== 'off').length;
  const passed = cells.filter((cell) => cell === 'pass').length;
  return due === 0 ? null : Math.round((passed / due) * 100);
}

const STATE_ORDER: readonly CellDisplayState[] = [
  'pass',
  'fail',
  'begun',
  'partial',
  'not_tested',
  'explained',
  'ahead',
  'off',
];

/** Summarises a year in a sentence, for screen readers. */
export function describeYear(cells: readonly CellDisplayState[]): string {
  const count = (state: CellDisplayState) => cells.filter((cell) => cell === state).length;
  const parts = STATE_ORDER.flatMap((state) => {
    const n = count(state);
    return n === 0 ? [] : [`${n} ${CELL_LABELS[state].toLowerCase()}`];
  });
  const rate = passRate(cells);
  return `${parts.join(', ')}${rate === null ? '' : `; ${rate}% passed`}`;
}

/** Returns the month labels over the columns, each at the first period that begins in it. */
export function monthLabels(starts: readonly string[]): { label: string; column: number }[] {
  const marks: { label: string; column: number }[] = [];
  let last = '';
  starts.forEach((start, index) => {
    const month = start.slice(5, 7);
    if (month === last) return;
    last = month;
    marks.push({ label: (MONTH_NAMES[Number(month) - 1] ?? '').slice(0, 3), column: index + 1 });
  });
  return marks;
}

const STATES: Readonly<Record<string, CellDisplayState>> = {
  [CELL_STATUSES.pass]: 'pass',
  [CELL_STATUSES.fail]: 'fail',
  [CELL_STATUSES.partly_failed]: 'fail',
  [CELL_STATUSES.not_tested]: 'not_tested',
  [CELL_STATUSES.explained]: 'explained',
};

/** Returns the squares of one site from its status letters. A period without a record is missed once it is over. */
export function cellsOf(letters: string, periods: readonly Period[], span: Span): CellDisplayState[] {
  return periods.map((period, index) => {
    const letter = letters[index] ?? '';
    if (letter === CELL_STATUSES.partly_passed) return partlyDone(period, span);
    return STATES[letter] ?? emptyState(period, span);
  });
}

/** Returns the state of a partly done period without a failure. */
export function partlyDone(period: Period, { today }: Pick<Span, 'today'>): CellDisplayState {
  return period.end < today ? 'partial' : 'begun';
}

/** The site's first day of checks, its schedule, and today. */
export type Span = { startsOn: string; steps: readonly ScheduleStep[]; today: string };

/** Returns the state of a period without a record. */
export function emptyState(period: Period, span: Span): CellDisplayState {
  if (!isExpectedIn(span, period)) return 'off';
  return period.end < span.today ? 'not_tested' : 'ahead';
}
