import { slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { TASK_CHECK_VOCABULARY, type TaskCheck } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';

/** Returns the path of the compliance page with a task's record open. */
export function taskPath({ id, buildingId }: Pick<Task, 'id' | 'buildingId'>): string {
  return `/compliance-details?building=${buildingId}&task=${id}`;
}

/** Returns the path of the library of templates, for a building if one is given. */
export function libraryPath(buildingId: string | undefined): string {
  return buildingId === undefined ? '/task-templates' : `/task-templates?building=${buildingId}`;
}

/** Returns the path of the form for a new task, at a building if one is given. */
export function newTaskPath(buildingId: string | undefined): string {
  return buildingId === undefined ? '/add-task' : `/add-task?building=${buildingId}`;
}

export function editTaskPath(id: string): string {
  return `/edit-task/${id}`;
}

/** Returns the path of the form that records the check that satisfies a task. */
export function recordCheckPath(check: TaskCheck, buildingId: string): string {
  return `/operative-tasks/${slugOf(TASK_CHECK_VOCABULARY[check].kind)}?site=${buildingId}`;
}
