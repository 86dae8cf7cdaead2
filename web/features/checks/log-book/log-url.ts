import { incidentsOf, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_RESULTS } from '#shared/features/checks/log.vocabulary.ts';
import { choice, day, defineUrlState, id, type StateOf, text, wholeNumber } from '../../../lib/url-state.ts';

/** The first year that is always offered. */
export const FIRST_YEAR = 2025;
const OPERATIVE_MAX = 100;

/** Returns the year of a day. */
export function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** Returns the kinds that a log can be filtered by; empty when the log contains only one kind. */
export function entryKindsOf(kind: CheckKind): readonly LogKind[] {
  const others = incidentsOf(kind);
  return others.length === 0 ? [] : [kind, ...others];
}

/** State of a log page, as stored in the URL. */
export function logUrlOf(kind: CheckKind, today: string) {
  return defineUrlState({
    /** One site; null for all sites. */
    building: id('building'),
    year: wholeNumber('year', { least: 2000, most: 2100, fallback: yearOf(today) }),
    /** 1 to 12, for monthly kinds. */
    month: wholeNumber('month', { least: 1, most: 12, fallback: null }),
    result: choice('result', LOG_RESULTS, null),
    /** The only kind of entry to show: the check, or one kind of incident. */
    entryKind: choice('entries', entryKindsOf(kind), null),
    /** Part of an operative's name. */
    operative: text('operative', OPERATIVE_MAX),
    /** First day of the period whose records are expanded. */
    period: day('period'),
    /** The asset whose readings are shown as a chart. */
    subject: id('subject'),
    /** The entry whose thread is open. */
    entry: id('entry'),
  });
}
export type LogUrl = ReturnType<typeof logUrlOf>;
export type LogState = StateOf<LogUrl>;

/** The state after "Clear Filters"; site and year stay. */
export const NO_LOG_FILTERS = {
  month: null,
  result: null,
  entryKind: null,
  operative: '',
} as const satisfies Partial<LogState>;

/** Counts the filters in use other than site and year. */
export function logFiltersSet({ month, result, entryKind, operative }: LogState): number {
  return [month !== null, result !== null, entryKind !== null, operative.trim() !== ''].filter(Boolean)
    .length;
}

/** Returns whether any filter other than site and year is in use. */
export function hasLogFilters(state: LogState): boolean {
  return logFiltersSet(state) > 0;
}

/** Returns the years to choose from, newest first: from 2025 to the current one, plus the one in the URL. */
export function yearsOffered(state: Pick<LogState, 'year'>, today: string): number[] {
  const years = new Set([state.year]);
  for (let year = FIRST_YEAR; year <= yearOf(today); year += 1) years.add(year);
  return [...years].sort((a, b) => b - a);
}
