import type { TaskOverviewInput } from '#shared/features/tasks.ts';
import {
  TASK_DATE_RANGES,
  TASK_FREQUENCIES,
  TASK_RESPONSIBLE_MAX,
  TASK_SEARCH_MAX,
  type TaskDateRange,
  type TaskFrequency,
} from '#shared/features/tasks.vocabulary.ts';
import { TASK_STATUSES, type TaskStatus } from '#shared/task-schedule.ts';
import { oneOf } from '../../lib/one-of.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

/** What tells the groups of tasks: the first word of their names, or the whole system. */
const GROUPINGS = ['word', 'system'] as const;
export type TaskGrouping = (typeof GROUPINGS)[number];

/** State of the compliance page, as stored in the URL. */
export type TasksState = {
  /** One building, `'all'` of the person's buildings, or null when none is selected. */
  building: string | 'all' | null;
  status: TaskStatus | null;
  range: TaskDateRange;
  responsible: string | null;
  frequency: TaskFrequency | null;
  search: string;
  /** Shows the retired tasks instead of those in use. */
  retired: boolean;
  grouping: TaskGrouping;
  /** Id of the task whose record is open. */
  task: string | null;
};

/** Reads the state from the URL. Unknown values count as absent, so that old links still open. */
export function readTasksState(params: URLSearchParams): TasksState {
  const building = params.get('building');
  return {
    building: building === 'all' ? 'all' : uuidOrNull(building),
    status: oneOf(TASK_STATUSES, params.get('status')) ?? null,
    range: oneOf(TASK_DATE_RANGES, params.get('due')) ?? 'all',
    responsible: (params.get('responsible') ?? '').slice(0, TASK_RESPONSIBLE_MAX) || null,
    frequency: oneOf(TASK_FREQUENCIES, params.get('frequency')) ?? null,
    search: (params.get('q') ?? '').slice(0, TASK_SEARCH_MAX),
    retired: params.get('show') === 'retired',
    grouping: oneOf(GROUPINGS, params.get('group')) ?? 'word',
    task: uuidOrNull(params.get('task')),
  };
}

/** Writes the state to URL parameters without defaults, so that the unfiltered page has no query string. */
export function writeTasksState(state: TasksState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.building !== null) params.set('building', state.building);
  if (state.status !== null) params.set('status', state.status);
  if (state.range !== 'all') params.set('due', state.range);
  if (state.responsible !== null) params.set('responsible', state.responsible);
  if (state.frequency !== null) params.set('frequency', state.frequency);
  if (state.search !== '') params.set('q', state.search);
  if (state.retired) params.set('show', 'retired');
  if (state.grouping !== 'word') params.set('group', state.grouping);
  if (state.task !== null) params.set('task', state.task);
  return params;
}

/** The state after "Clear Filters"; the building and what is shown of it stay. */
export const NO_FILTERS = {
  status: null,
  range: 'all',
  responsible: null,
  frequency: null,
  search: '',
} as const satisfies Partial<TasksState>;

/** Counts the filters in use besides the search. */
export function filtersSet({ status, range, responsible, frequency }: TasksState): number {
  return [status !== null, range !== 'all', responsible !== null, frequency !== null].filter(Boolean).length;
}

/** Returns whether any filter besides the building is in use. */
export function hasFilters(state: TasksState): boolean {
  return filtersSet(state) > 0 || state.search.trim() !== '';
}

/** Returns the filter as the server takes it, in canonical form, so that equal filters share one cache entry. */
export function toTaskFilter(state: TasksState): TaskOverviewInput {
  const search = state.search.trim();
  return {
    ...(state.status === null ? {} : { status: state.status }),
    ...(state.range === 'all' ? {} : { range: state.range }),
    ...(state.responsible === null ? {} : { responsible: state.responsible }),
    ...(state.frequency === null ? {} : { frequency: state.frequency }),
    ...(search === '' ? {} : { search }),
  };
}
