import { TASK_STATUSES } from '#shared/features/tasks/task-schedule.ts';
import type { TaskOverviewInput } from '#shared/features/tasks/tasks.ts';
import {
  TASK_DATE_RANGES,
  TASK_FREQUENCIES,
  TASK_RESPONSIBLE_MAX,
  TASK_SEARCH_MAX,
} from '#shared/features/tasks/tasks.vocabulary.ts';
import { choice, defineUrlState, flag, id, idOr, type StateOf, text } from '../../lib/url-state.ts';

/** Grouping of the tasks: by the first word of the system's name, or by the whole name. */
const GROUPINGS = ['word', 'system'] as const;
export type TaskGrouping = (typeof GROUPINGS)[number];

/** State of the compliance page, as stored in the URL. */
export const tasksUrl = defineUrlState({
  /** One building, `'all'` of the person's buildings, or null when none is selected. */
  building: idOr('building', 'all'),
  status: choice('status', TASK_STATUSES, null),
  range: choice('due', TASK_DATE_RANGES, 'all'),
  responsible: text('responsible', TASK_RESPONSIBLE_MAX),
  frequency: choice('frequency', TASK_FREQUENCIES, null),
  search: text('q', TASK_SEARCH_MAX),
  /** Shows the retired tasks instead of the tasks in use. */
  retired: flag('show', 'retired'),
  grouping: choice('group', GROUPINGS, 'word'),
  /** The task whose record is open. */
  task: id('task'),
});
export type TasksState = StateOf<typeof tasksUrl>;

const FILTERS = ['status', 'range', 'responsible', 'frequency'] as const;

/** The state after "Clear Filters"; the building and the parts of the page shown for it stay. */
export const NO_FILTERS = tasksUrl.defaultsOf([...FILTERS, 'search']);

/** Counts the filters in use besides the search. */
export function filtersSet(state: TasksState): number {
  return tasksUrl.countChanged(state, FILTERS);
}

/** Returns whether any filter other than the building is in use. */
export function hasFilters(state: TasksState): boolean {
  return tasksUrl.countChanged(state, [...FILTERS, 'search']) > 0;
}

/** Converts the state to the server's filter, in canonical form, so that equal filters share one cache entry. */
export function toTaskFilter(state: TasksState): TaskOverviewInput {
  const search = state.search.trim();
  return {
    ...(state.status === null ? {} : { status: state.status }),
    ...(state.range === 'all' ? {} : { range: state.range }),
    ...(state.responsible === '' ? {} : { responsible: state.responsible }),
    ...(state.frequency === null ? {} : { frequency: state.frequency }),
    ...(search === '' ? {} : { search }),
  };
}
