import { incidentsOf, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_RESULTS, type LogResult } from '#shared/features/checks/log.vocabulary.ts';

/** Everything that a log page shows is in its address. */
export type LogState = {
  /** One site; null for all of them. */
  building: string | null;
  year: number;
  /** 1 to 12, where a log is kept by month. */
  month: number | null;
  result: LogResult | null;
  /** Of what stands in the log, one kind alone. */
  entryKind: LogKind | null;
  /** Part of an operative's name. */
  operative: string;
  /** The first day of the period whose records are expandFilters. */
  period: string | null;
  /** The record whose thread is open. */
  entry: string | null;
  /** The fitting or outlet whose readings are drawn as a line. */
  subject: string | null;
};

/** The log of 2025 is always offered, and nothing before it. */
export const FIRST_YEAR = 2025;
const OPERATIVE_MAX = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The year of a day. */
export function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** What can be asked for alone in a log: nothing, where it holds one kind. */
export function entryKindsOf(kind: CheckKind): readonly LogKind[] {
  const others = incidentsOf(kind);
  return others.length === 0 ? [] : [kind, ...others];
}

/** Reads the address. Whatever is not one of ours is as if it were absent: an old link still opens. */
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

/** The address of a state: defaults are left out, so that the plain page has the plain address. */
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

/** What Clear puts back; site and year stay. */
export const NO_LOG_FILTERS = {
  month: null,
  result: null,
  entryKind: null,
  operative: '',
} as const satisfies Partial<LogState>;

/** How many things narrow the log beyond its site and year. */
export function logFiltersSet({ month, result, entryKind, operative }: LogState): number {
  return [month !== null, result !== null, entryKind !== null, operative.trim() !== ''].filter(Boolean)
    .length;
}

/** True where something narrows the log beyond its site and year. */
export function hasLogFilters(state: LogState): boolean {
  return logFiltersSet(state) > 0;
}

/** The years to choose from, newest first: from 2025 to the next one, and the one that the address names. */
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
