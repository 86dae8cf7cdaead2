import { nameKey, searchKey } from '../../text/name-keys.ts';
import { recurrenceFrom } from './task-frequency.ts';
import { isDueThisMonth, isDueThisWeek, isOverdue, statusOn } from './task-schedule.ts';
import type { Task, TaskFilter } from './tasks.ts';
import { taskFrequencyOf, taskName } from './tasks.vocabulary.ts';

// The filter of the compliance screen, applied to all tasks of a building. This file does not load the validation library.

/** Whether a filter leaves out any task. */
export function narrowsTasks({
  status,
  range = 'all',
  responsible,
  frequency,
  search = '',
}: TaskFilter): boolean {
  const isSet = [status, responsible, frequency].some((value) => value !== undefined);
  return isSet || range !== 'all' || searchKey(search) !== '';
}

/** Whether a task matches a filter on a day. The building is not compared, because the query has already filtered by it. */
export function matchesTaskFilter(filter: TaskFilter, task: Task, today: string): boolean {
  const { status, range = 'all', responsible, frequency } = filter;
  return (
    // A task that is not due at its site has no status, and no figure on the cards counts it.
    (task.isDue || (status === undefined && range === 'all')) &&
    (status === undefined || statusOn(task, today) === status) &&
    (responsible === undefined || nameKey(task.responsiblePerson) === nameKey(responsible)) &&
    (frequency === undefined || taskFrequencyOf(recurrenceFrom(task)) === frequency) &&
    isInRange(range, task, today) &&
    hasText(task, searchKey(filter.search ?? ''))
  );
}

function isInRange(range: NonNullable<TaskFilter['range']>, task: Task, today: string): boolean {
  switch (range) {
    case 'all':
      return true;
    case 'week':
      return isDueThisWeek(task, today);
    case 'month':
      return isDueThisMonth(task, today);
    case 'overdue':
      return isOverdue(task, today);
  }
}

function hasText(task: Task, wanted: string): boolean {
  if (wanted === '') return true;
  const { taskNumber, responsiblePerson } = task;
  return [taskNumber, taskName(task), responsiblePerson].some((text) => searchKey(text).includes(wanted));
}
