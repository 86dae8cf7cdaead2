import { matchesTaskFilter } from '#shared/features/tasks/task-filter.ts';
import type { Task, TaskFilter } from '#shared/features/tasks/tasks.ts';
import { GENERAL_GROUP, groupTasks, taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { TaskGrouping } from '../tasks-url.ts';

export type TaskGroup = { group: string; tasks: Task[] };

type Arrangement = {
  filter: TaskFilter;
  today: string;
  grouping: TaskGrouping;
  /** Returns whether a task is listed before the others; undefined orders all tasks by due date. */
  isOwn?: ((task: Task) => boolean) | undefined;
};

/** Returns the tasks that match a filter, in groups; a group has the position of its first task. */
export function arrangeTasks(
  tasks: readonly Task[],
  { filter, today, grouping, isOwn }: Arrangement,
): TaskGroup[] {
  const shown = tasks.filter((task) => matchesTaskFilter(filter, task, today));
  const ordered =
    isOwn === undefined ? shown : [...shown.filter(isOwn), ...shown.filter((task) => !isOwn(task))];
  return grouping === 'word' ? groupTasks(ordered, taskName) : groupBySystem(ordered);
}

function groupBySystem(tasks: readonly Task[]): TaskGroup[] {
  const groups = new Map<string, TaskGroup>();
  for (const task of tasks) {
    const group = task.complianceSystem.trim() || GENERAL_GROUP;
    const key = nameKey(group);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { group, tasks: [task] });
    else known.tasks.push(task);
  }
  return [...groups.values()];
}

/** Returns whether a person is responsible for a task: by the task's account, or by the name if the task has no account. */
export function isResponsible(
  { responsibleId, responsiblePerson }: Pick<Task, 'responsibleId' | 'responsiblePerson'>,
  person: { id: string; name: string },
): boolean {
  if (responsibleId !== null) return responsibleId === person.id;
  return nameKey(responsiblePerson) === nameKey(person.name);
}
