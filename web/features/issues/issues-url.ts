import type { IssueFilter } from '#shared/features/issues.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_SEARCH_MAX,
  ISSUE_STATUSES,
  type IssueDateRange,
  type IssuePriority,
  type IssueStatus,
} from '#shared/features/issues.vocabulary.ts';
import { oneOf } from '../../lib/one-of.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

export const ISSUE_VIEWS = ['cards', 'board', 'list'] as const;
export type IssueView = (typeof ISSUE_VIEWS)[number];

/** State of the issues page, as stored in the URL. */
export type IssuesState = {
  /** One building, `'all'` of the person's buildings, or null when none is selected. */
  building: string | 'all' | null;
  view: IssueView;
  statuses: readonly IssueStatus[];
  priorities: readonly IssuePriority[];
  range: IssueDateRange;
  mine: boolean;
  search: string;
  /** Id of the issue whose details are open. */
  issue: string | null;
  /** The report dialog: a building's form, or `'choose'` for the choice of a building. */
  report: string | 'choose' | null;
  /** The column shown on a phone. */
  column: IssueStatus;
};

export const DEFAULT_VIEW: IssueView = 'board';
/** Reads the state from the URL. Unknown values count as absent, so that old links still open. */
export function readIssuesState(params: URLSearchParams): IssuesState {
  const building = params.get('building');
  return {
    building: building === 'all' ? 'all' : uuidOrNull(building),
    view: oneOf(ISSUE_VIEWS, params.get('view')) ?? DEFAULT_VIEW,
    statuses: someOf(ISSUE_STATUSES, params.get('status')),
    priorities: someOf(ISSUE_PRIORITIES, params.get('priority')),
    range: oneOf(ISSUE_DATE_RANGES, params.get('created')) ?? 'all',
    mine: params.get('assigned') === 'me',
    search: (params.get('q') ?? '').slice(0, ISSUE_SEARCH_MAX),
    issue: uuidOrNull(params.get('issue')),
    report: params.get('report') === 'choose' ? 'choose' : uuidOrNull(params.get('report')),
    column: oneOf(ISSUE_STATUSES, params.get('column')) ?? 'open',
  };
}

/** Writes the state to URL parameters without defaults, so that the unfiltered page has no query string. */
export function writeIssuesState(state: IssuesState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.building !== null) params.set('building', state.building);
  if (state.view !== DEFAULT_VIEW) params.set('view', state.view);
  if (state.statuses.length > 0) params.set('status', state.statuses.join(','));
  if (state.priorities.length > 0) params.set('priority', state.priorities.join(','));
  if (state.range !== 'all') params.set('created', state.range);
  if (state.mine) params.set('assigned', 'me');
  if (state.search !== '') params.set('q', state.search);
  if (state.issue !== null) params.set('issue', state.issue);
  if (state.report !== null) params.set('report', state.report);
  if (state.column !== 'open') params.set('column', state.column);
  return params;
}

/** The state after "Clear Filters"; building, view and open dialogs stay. */
export const NO_FILTERS = {
  statuses: [],
  priorities: [],
  range: 'all',
  mine: false,
  search: '',
} as const satisfies Partial<IssuesState>;

/** Returns whether any filter besides the building is in use. */
export function hasFilters(state: IssuesState): boolean {
  return (
    state.statuses.length > 0 ||
    state.priorities.length > 0 ||
    state.range !== 'all' ||
    state.mine ||
    state.search.trim() !== ''
  );
}

/** Returns the filter as the server takes it, in canonical form, so that equal filters share one cache entry. */
export function toIssueFilter(state: IssuesState, buildingId: string | undefined, me: string): IssueFilter {
  const search = state.search.trim();
  return {
    ...(buildingId === undefined ? {} : { buildingId }),
    ...(state.statuses.length === 0 ? {} : { statuses: [...state.statuses] }),
    ...(state.priorities.length === 0 ? {} : { priorities: [...state.priorities] }),
    ...(state.range === 'all' ? {} : { range: state.range }),
    ...(state.mine ? { assignedTo: me } : {}),
    ...(search === '' ? {} : { search }),
  };
}

/**
 * Parses a comma-separated list, in the vocabulary's order without duplicates. All values together mean no filter and
 * give an empty list.
 */
function someOf<T extends string>(values: readonly T[], text: string | null): readonly T[] {
  const wanted = new Set((text ?? '').split(','));
  const found = values.filter((value) => wanted.has(value));
  return found.length === values.length ? [] : found;
}
