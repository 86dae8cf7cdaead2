import type { Cadence, Period } from '#shared/check-periods.ts';
import { formatWeekdayDate } from '#shared/dates.ts';

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Formats a period: "January 2026", or "Week 3, Fri 16 Jan 2026". */
export function periodName(cadence: Cadence, period: Period): string {
  return cadence === 'monthly'
    ? `${MONTH_NAMES[period.index]} ${period.year}`
    : `Week ${period.index + 1}, ${formatWeekdayDate(period.start)}`;
}

/** Formats a period as a column header: "Jan", "3". */
export function periodLabel(cadence: Cadence, period: Period): string {
  return cadence === 'monthly' ? (MONTH_NAMES[period.index] ?? '').slice(0, 3) : String(period.index + 1);
}
