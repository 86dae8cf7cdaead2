import { periodOf } from '#shared/check-periods.ts';
import {
  type CheckThread,
  GRID_LETTERS,
  type LogPage,
  type LogYear,
  type MissingSites,
  type YearGridData,
} from '#shared/features/checks/answers.ts';
import { isIncident, type LogKind, logOf } from '#shared/features/checks/incidents.words.ts';
import { CHECK_WORDS } from '#shared/features/checks/kinds.words.ts';
import type {
  LogFilter,
  LogYearInput,
  MissingSitesInput,
  YearGridInput,
} from '#shared/features/checks/queries.ts';
import type { CheckVisit } from '#shared/features/checks/rows.ts';
import { timesIn } from '#shared/features/checks/schedule.words.ts';
import type { Changes } from '#shared/live.ts';
import type { LiveChange } from '../../../live/types.ts';
import { changesChecks } from '../changes-checks.ts';

type YearChange = LiveChange<'checkVisit' | 'missedPeriod' | 'testPoint' | 'asset' | 'place'>;

/** What one change means for a site's year. */
export function foldLogYear(year: LogYear, event: YearChange, input: LogYearInput): LogYear | 'refetch' {
  switch (event.entity) {
    case 'checkVisit': {
      const here = (row: CheckVisit) => belongs(row, row.visitDate, input);
      const visits = foldRow(year.visits, event, (row) => here(row) && !isIncident(row.kind));
      const incidents = foldRow(year.incidents, event, (row) => here(row) && isIncident(row.kind));
      if (visits === year.visits && incidents === year.incidents) return year;
      return {
        ...year,
        visits: [...visits].sort(oldestFirst),
        incidents: [...incidents].sort(oldestFirst),
      };
    }
    case 'missedPeriod': {
      const missed = foldRow(year.missed, event, (row) => belongs(row, row.start, input));
      return missed === year.missed ? year : { ...year, missed };
    }
    // What there is to check has changed: seldom, and the server knows what it means.
    case 'testPoint':
    case 'asset':
      if (event.entity === 'asset' && isVisitAlone(event.changes)) return year;
      return event.op === 'del' || event.row.buildingId === input.buildingId ? 'refetch' : year;
    default:
      return event.entityId === input.buildingId ? 'refetch' : year;
  }
}

/** An asset was checked, and is what it was. */
function isVisitAlone(changes: Changes | null): boolean {
  return changes !== null && Object.keys(changes).every((field) => field === 'lastVisitDate');
}

type Row = { id: string; version: number };
type RowChange<R extends Row> = { entityId: string; version: number } & (
  | { op: 'put'; row: R }
  | { op: 'del' }
);

/** The rows with the change in them, or the same rows where it does not concern them. */
function foldRow<R extends Row>(rows: R[], event: RowChange<R>, wanted: (row: R) => boolean): R[] {
  const at = rows.findIndex(({ id }) => id === event.entityId);
  const held = rows[at];
  if (held !== undefined && held.version >= event.version) return rows;
  if (event.op === 'del' || !wanted(event.row)) return held === undefined ? rows : rows.toSpliced(at, 1);
  return held === undefined ? [...rows, event.row] : rows.with(at, event.row);
}

type OfASite = { kind: LogKind; buildingId: string };

function belongs(row: OfASite, day: string, input: LogYearInput): boolean {
  return (
    logOf(row.kind) === input.kind &&
    row.buildingId === input.buildingId &&
    periodOf(CHECK_WORDS[input.kind].cadence, day).year === input.year
  );
}

function oldestFirst(a: CheckVisit, b: CheckVisit): number {
  if (a.visitDate !== b.visitDate) return a.visitDate < b.visitDate ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** What one change means for a loaded part of the records, newest first. */
export function foldRecords(
  page: LogPage,
  event: LiveChange<'checkVisit'>,
  filter: LogFilter,
): LogPage | 'refetch' {
  const held = page.visits.find(({ id }) => id === event.entityId);
  if (held !== undefined && held.version >= event.version) return page;
  if (event.op === 'del') {
    return held === undefined ? page : { ...page, visits: page.visits.filter((visit) => visit !== held) };
  }
  const { row } = event;
  if (logOf(row.kind) !== filter.kind) return page;
  if (filter.entryKind !== undefined && filter.entryKind !== row.kind) return page;
  if (filter.buildingId !== undefined && filter.buildingId !== row.buildingId) return page;
  if (
    filter.year !== undefined &&
    periodOf(CHECK_WORDS[filter.kind].cadence, row.visitDate).year !== filter.year
  ) {
    return page;
  }
  // What narrows by the lines of a visit is the server's to tell.
  const { result, operative, assetId, month } = filter;
  if (result !== undefined || operative !== undefined || assetId !== undefined || month !== undefined) {
    return 'refetch';
  }
  const others = held === undefined ? page.visits : page.visits.filter((visit) => visit !== held);
  const last = page.nextCursor;
  if (last !== null && oldestFirst(row, { ...row, ...last }) < 0) {
    return held === undefined ? page : { ...page, visits: others };
  }
  return { ...page, visits: [...others, row].sort((a, b) => oldestFirst(b, a)) };
}

/** Joins a further page: of a visit that both hold, the copy with the higher version stays. */
export function joinRecords(page: LogPage, further: LogPage): LogPage {
  const visits = new Map(page.visits.map((visit) => [visit.id, visit]));
  for (const visit of further.visits) {
    const held = visits.get(visit.id);
    if (held === undefined || held.version < visit.version) visits.set(visit.id, visit);
  }
  return { visits: [...visits.values()], nextCursor: further.nextCursor };
}

type GridChange = LiveChange<'checkVisit' | 'missedPeriod' | 'place'>;

/**
 * What one change means for the squares of all sites. A square knows its letter alone: where that does not tell what
 * it becomes (a pass after a failure, a correction), the server is asked.
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
  if (event.row.kind !== input.kind) return grid;
  const day = event.entity === 'checkVisit' ? event.row.visitDate : event.row.start;
  const period = periodOf(CHECK_WORDS[input.kind].cadence, day);
  if (period.year !== input.year) return grid;
  const { buildingId } = event.row;
  const site = grid.sites.find((each) => each.buildingId === buildingId);
  if (site === undefined) return 'refetch';
  // On how many days something was done, a letter does not tell.
  if (timesIn(site.steps, period) > 1) return 'refetch';
  const before = site.cells[period.index] ?? GRID_LETTERS.none;
  const after = event.entity === 'missedPeriod' ? explained(before) : letterAfter(before, event.row);
  if (after === 'unknown') return 'refetch';
  if (after === before) return grid;
  const cells = site.cells.slice(0, period.index) + after + site.cells.slice(period.index + 1);
  return { ...grid, sites: grid.sites.map((each) => (each === site ? { ...site, cells } : each)) };
}

function explained(before: string): string {
  return before === GRID_LETTERS.none || before === GRID_LETTERS.not_tested ? GRID_LETTERS.explained : before;
}

function letterAfter(before: string, visit: CheckVisit): string {
  const { pass, fail, not_tested: notTested, none } = GRID_LETTERS;
  if (visit.version > 1) return 'unknown';
  switch (visit.result) {
    case 'pass':
      return before === fail ? 'unknown' : pass;
    case 'fail':
      // One that is sent late may have been mended already.
      return before === pass ? 'unknown' : fail;
    case 'not_tested':
      return before === none ? notTested : before;
  }
}

/** Only what happens in this period can end or begin a gap in it, and then the server says who comes next by name. */
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
    // By another name it may stand elsewhere, or come among those that are named.
    return 'name' in changes || (held !== undefined && held.name !== row.name) ? 'refetch' : missing;
  }
  if (event.row.kind !== kind) return missing;
  const { cadence } = CHECK_WORDS[kind];
  const of = event.entity === 'checkVisit' ? event.row.visitDate : event.row.start;
  return periodOf(cadence, of).start === periodOf(cadence, day).start ? 'refetch' : missing;
}

type ThreadChange = LiveChange<'checkVisit' | 'issue' | 'issueComment' | 'raisedIssue'>;

/** A thread is small and seldom open: whatever may concern it has it fetched again. */
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
