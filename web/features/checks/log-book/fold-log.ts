import { periodOf } from '#shared/check-periods.ts';
import { isIncident, type LogKind, logOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import {
  CELL_STATUSES,
  type CheckThread,
  type LogYear,
  type MissingSites,
  type YearGridData,
} from '#shared/features/checks/procedure-answers.ts';
import type {
  LogCursor,
  LogFilter,
  LogYearInput,
  MissingSitesInput,
  YearGridInput,
} from '#shared/features/checks/queries.ts';
import type { CheckVisit } from '#shared/features/checks/rows.ts';
import { timesIn } from '#shared/features/checks/schedule.vocabulary.ts';
import type { Changes } from '#shared/live/live.ts';
import type { ListContext, ListPage } from '../../../live/list.ts';
import { changeRows } from '../../../live/list-rows.ts';
import type { LiveChange } from '../../../live/types.ts';
import { changesChecks, changesSubjects } from '../affects-checks.ts';

type YearChange = LiveChange<'checkVisit' | 'missedPeriod' | 'testPoint' | 'asset' | 'place'>;

/** Applies a change to a site's year. */
export function foldLogYear(year: LogYear, event: YearChange, input: LogYearInput): LogYear | 'refetch' {
  switch (event.entity) {
    case 'checkVisit': {
      const here = (row: CheckVisit) => belongs(row, row.visitDate, input);
      const isVisit = (row: CheckVisit) => here(row) && !isIncident(row.kind);
      const isOfItself = (row: CheckVisit) => here(row) && isIncident(row.kind);
      const visits = changeRows(year.visits, event, isVisit, oldestFirst);
      const incidents = changeRows(year.incidents, event, isOfItself, oldestFirst);
      return visits === year.visits && incidents === year.incidents ? year : { ...year, visits, incidents };
    }
    case 'missedPeriod': {
      const missed = changeRows(year.missed, event, (row) => belongs(row, row.start, input), byStart);
      return missed === year.missed ? year : { ...year, missed };
    }
    // The subjects of the site may have changed, which is rare and known only to the server.
    case 'testPoint':
    case 'asset':
      if (event.entity === 'asset' && isVisitAlone(event.changes)) return year;
      return event.op === 'del' || event.row.buildingId === input.buildingId ? 'refetch' : year;
    default:
      return event.entityId === input.buildingId ? 'refetch' : year;
  }
}

/** Returns whether a change to an asset only updated its last visit. */
function isVisitAlone(changes: Changes | null): boolean {
  return changes !== null && Object.keys(changes).every((field) => field === 'lastVisitDate');
}

type OfASite = { kind: LogKind; buildingId: string };

function belongs(row: OfASite, day: string, input: LogYearInput): boolean {
  return (
    logOf(row.kind) === input.kind &&
    row.buildingId === input.buildingId &&
    periodOf(CHECK_VOCABULARY[input.kind].cadence, day).year === input.year
  );
}

type OnADay = Pick<CheckVisit, 'visitDate' | 'id'>;

function oldestFirst(a: OnADay, b: OnADay): number {
  if (a.visitDate !== b.visitDate) return a.visitDate < b.visitDate ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Compares visits by day, newest first, then by id. */
export const newestFirst = (a: OnADay, b: OnADay): number => oldestFirst(b, a);

function byStart(a: { start: string }, b: { start: string }): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : 0;
}

export type RecordsPage = ListPage<CheckVisit, LogCursor>;

/** Applies a change to the loaded part of the records. */
export function foldRecords(
  page: RecordsPage,
  event: LiveChange<'checkVisit'>,
  { input: filter, change }: ListContext<LogFilter, RecordsPage>,
): RecordsPage | 'refetch' {
  return change(page, event, (row) => {
    if (logOf(row.kind) !== filter.kind) return false;
    if (filter.entryKind !== undefined && filter.entryKind !== row.kind) return false;
    if (filter.buildingId !== undefined && filter.buildingId !== row.buildingId) return false;
    const { year } = periodOf(CHECK_VOCABULARY[filter.kind].cadence, row.visitDate);
    if (filter.year !== undefined && filter.year !== year) return false;
    // Filters on the entries of a visit are evaluated by the server.
    const { result, operative, assetId, month } = filter;
    const isNarrowed = [result, operative, assetId, month].some((value) => value !== undefined);
    return isNarrowed ? 'refetch' : true;
  });
}

export type GridEntity = 'checkVisit' | 'missedPeriod' | 'asset' | 'place';
type GridChange = LiveChange<GridEntity>;

/**
 * Applies a change to the grid of all sites. A cell contains only a status letter. If the previous letter and the event
 * do not determine the new letter (a pass after a failure, an amendment), the grid is fetched again.
 */
export function foldYearGrid(
  grid: YearGridData,
  event: GridChange,
  input: YearGridInput,
): YearGridData | 'refetch' {
  if (event.entity === 'place') {
    if (event.op === 'del' || changesChecks(event)) return 'refetch';
    const { id, name, archivedAt } = event.row;
    const held = grid.sites.find(({ buildingId }) => buildingId === id);
    if (held === undefined) return event.changes !== null && 'archivedAt' in event.changes ? 'refetch' : grid;
    if (archivedAt !== null) return { ...grid, sites: grid.sites.filter((site) => site !== held) };
    return held.name === name ? grid : 'refetch';
  }
  if (event.op === 'del') return 'refetch';
  if (event.entity === 'asset') return changesSubjects(event) ? 'refetch' : grid;
  if (event.row.kind !== input.kind) return grid;
  const day = event.entity === 'checkVisit' ? event.row.visitDate : event.row.start;
  const period = periodOf(CHECK_VOCABULARY[input.kind].cadence, day);
  if (period.year !== input.year) return grid;
  const { buildingId } = event.row;
  const site = grid.sites.find((each) => each.buildingId === buildingId);
  if (site === undefined) return 'refetch';
  const before = site.cells[period.index] ?? CELL_STATUSES.none;
  // Only the server knows whether a visit has completed a period of several subjects or days.
  const isEnough = CHECK_VOCABULARY[input.kind].oneIsEnough === true && timesIn(site.steps, period) === 1;
  const after =
    event.entity === 'missedPeriod' ? explained(before) : letterAfter(before, event.row, isEnough);
  if (after === 'unknown') return 'refetch';
  if (after === before) return grid;
  const cells = site.cells.slice(0, period.index) + after + site.cells.slice(period.index + 1);
  return { ...grid, sites: grid.sites.map((each) => (each === site ? { ...site, cells } : each)) };
}

function explained(before: string): string {
  return before === CELL_STATUSES.none || before === CELL_STATUSES.not_tested
    ? CELL_STATUSES.explained
    : before;
}

function letterAfter(before: string, visit: CheckVisit, isEnough: boolean): string {
  const { pass, fail, not_tested: notTested, none } = CELL_STATUSES;
  if (visit.version > 1) return 'unknown';
  switch (visit.result) {
    case 'pass':
      // A complete period stays complete.
      if (before === pass) return pass;
      return before === fail || !isEnough ? 'unknown' : pass;
    case 'fail':
      if (before === fail) return fail;
      // A failure that arrives late may have been retested already.
      return before === pass || !isEnough ? 'unknown' : fail;
    case 'not_tested':
      return before === none ? notTested : before;
  }
}

/**
 * Applies a change to the sites where a check is not done. Only events in this period can change them; then the list is
 * fetched again, because it contains only the first sites.
 */
export function foldMissing(
  missing: MissingSites,
  event: GridChange,
  { kind, day }: MissingSitesInput,
): MissingSites | 'refetch' {
  if (event.op === 'del') return 'refetch';
  if (event.entity === 'place') {
    const { changes, row } = event;
    if (changes === null || 'archivedAt' in changes || 'schedule' in changes) return 'refetch';
    const held = missing.sites.find(({ buildingId }) => buildingId === row.id);
    // A renamed site may change its position, or enter the named part of the list.
    return 'name' in changes || (held !== undefined && held.name !== row.name) ? 'refetch' : missing;
  }
  if (event.entity === 'asset') return changesSubjects(event) ? 'refetch' : missing;
  if (event.row.kind !== kind) return missing;
  const { cadence } = CHECK_VOCABULARY[kind];
  const of = event.entity === 'checkVisit' ? event.row.visitDate : event.row.start;
  return periodOf(cadence, of).start === periodOf(cadence, day).start ? 'refetch' : missing;
}

type ThreadChange = LiveChange<'checkVisit' | 'issue' | 'issueComment' | 'raisedIssue'>;

/** Fetches the thread again after any event that may concern it: threads are small and rarely open. */
export function foldThread(thread: CheckThread, event: ThreadChange): CheckThread | 'refetch' {
  if (event.entity === 'issue' || event.entity === 'raisedIssue')
    return event.entityId === thread.issue?.id ? 'refetch' : thread;
  if (event.op === 'del') return thread;
  if (event.entity === 'issueComment') return event.row.issueId === thread.issue?.id ? 'refetch' : thread;
  const { row } = event;
  if (row.kind !== thread.visit.kind || row.buildingId !== thread.visit.buildingId) return thread;
  const keys = new Set(thread.story.map(({ entry }) => entry.subjectKey));
  return row.id === thread.visit.id || row.entries.some(({ subjectKey }) => keys.has(subjectKey))
    ? 'refetch'
    : thread;
}
