import { incidentsOf, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_RESULTS, type LogResult } from '#shared/features/checks/log.vocabulary.ts';

/** State of a log page, as stored in the URL. */
export type LogState = {
  /** Id of one site; null for all sites. */
  building: string | null;
  year: number;
  /** 1 to 12, for monthly kinds. */
  month: number | null;
  result: LogResult | null;
  /** The only kind of entry to show: the check, or one kind of incident. */
  entryKind: LogKind | null;
  /** Part of an operative's name. */
  operative: string;
  /** First day of the period whose records are expanded. */
  period: string | null;
  /** Id of the entry whose thread is open. */
  entry: string | null;
  /** Id of the asset whose readings are shown as a chart. */
  subject: string | null;
};

/** The first year that is always offered. */
export const FIRST_YEAR = 2025;
const OPERATIVE_MAX = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the year of a day. */
export function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** Returns the kinds that a log can be filtered by; empty when it holds only one. */
export function entryKindsOf(kind: CheckKind): readonly LogKind[] {
  const others = incidentsOf(kind);
  return others.length === 0 ? [] : [kind, ...others];
}

/** Reads the state from the URL. Unknown values count as absent, so that old links still open. */
export function readLogState(params: URLSearchParams, today: string, kind: CheckKind): LogState {
  const period = params.get('period');
  return {
    building: uuidOrNull(params.get('building')),
    year: numberOrNull(params.get('year'), 2000, 2100) ?? yearOf(today),
    month: numberOrNull(params.get('month'), 1, 12),
    result: LOG_RESULTS.find((result) => result === params.get('result')) ?? null,
    entryKind: entryKindsOf(kind).find((each) => each === params.get('entries')) ?? null,
    operative: (params.get('operative') ?? '').slice(0, OPERATIVE_MAX),
    period: period !== null && DAY.test(period) ? period : null,
    entry: uuidOrNull(params.get('entry')),
    subject: uuidOrNull(params.get('subject')),
  };
}

/** Writes the state to URL parameters without defaults, so that the unfiltered page has no query string. */
export function writeLogState(state: LogState, today: string): URLSearchParams {
  const params = new URLSearchParams();
  if (state.building !== null) params.set('building', state.building);
  if (state.year !== yearOf(today)) params.set('year', String(state.year));
  if (state.month !== null) params.set('month', String(state.month));
  if (state.result !== null) params.set('result', state.result);
  if (state.entryKind !== null) params.set('entries', state.entryKind);
  if (state.operative !== '') params.set('operative', state.operative);
  if (state.period !== null) params.set('period', state.period);
  if (state.subject !== null) params.set('subject', state.subject);
  if (state.entry !== null) params.set('entry', state.entry);
  return params;
}

/** The state after "Clear Filters"; site and year stay. */
export const NO_LOG_FILTERS = {
  month: null,
  result: null,
  entryKind: null,
  operative: '',
} as const satisfies Partial<LogState>;

/** Counts the filters in use besides site and year. */
export function logFiltersSet({ month, result, entryKind, operative }: LogState): number {
  return [month !== null, result !== null, entryKind !== null, operative.trim() !== ''].filter(Boolean)
    .length;
}

/** Returns whether any filter besides site and year is in use. */
export function hasLogFilters(state: LogState): boolean {
  return logFiltersSet(state) > 0;
}

/** Returns the years to choose from, newest first: from 2025 to the current one, plus the one in the URL. */
export function yearsOffered(state: Pick<LogState, 'year'>, today: string): number[] {
  const years = new Set([state.year]);
  for (let year = FIRST_YEAR; year <= yearOf(today); year += 1) years.add(year);
  return [...years].sort((a, b) => b - a);
}

function numberOrNull(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d{1,4}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

function uuidOrNull(value: string | null): string | null {
  return value !== null && UUID.test(value) ? value.toLowerCase() : null;
}
