import type { IssueFilter } from '#shared/features/issues/issues.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_SEARCH_MAX,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { choice, choices, defineUrlState, flag, id, idOr, type StateOf, text } from '../../lib/url-state.ts';

export const ISSUE_VIEWS = ['cards', 'board', 'list'] as const;
export type IssueView = (typeof ISSUE_VIEWS)[number];
export const DEFAULT_VIEW: IssueView = 'board';

/** State of the issues page, as stored in the URL. */
export const issuesUrl = defineUrlState({
  /** One building, `'all'` of the person's buildings, or null when none is selected. */
  building: idOr('building', 'all'),
  view: choice('view', ISSUE_VIEWS, DEFAULT_VIEW),
  statuses: choices('status', ISSUE_STATUSES),
  priorities: choices('priority', ISSUE_PRIORITIES),
  range: choice('created', ISSUE_DATE_RANGES, 'all'),
  mine: flag('assigned', 'me'),
  search: text('q', ISSUE_SEARCH_MAX),
  /** The issue whose details are open. */
  issue: id('issue'),
  /** The report dialog: a building's form, or `'choose'` for the choice of a building. */
  report: idOr('report', 'choose'),
  /** The column shown on a phone. */
  column: choice('column', ISSUE_STATUSES, 'open'),
});
export type IssuesState = StateOf<typeof issuesUrl>;

const FILTERS = ['statuses', 'priorities', 'range', 'mine', 'search'] as const;

/** The state after "Clear Filters"; building, view and open dialogs stay. */
export const NO_FILTERS = issuesUrl.defaultsOf(FILTERS);

/** Returns whether any filter other than the building is in use. */
export function hasFilters(state: IssuesState): boolean {
  return issuesUrl.countChanged(state, FILTERS) > 0;
}

/** Converts the state to the server's filter, in canonical form, so that equal filters share one cache entry. */
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
