import { slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { TASK_CHECK_VOCABULARY, type TaskCheck } from '#shared/features/checks/kinds.vocabulary.ts';

export function editTaskPath(id: string): string {
  return `/edit-task/${id}`;
}

/** The form that records the check by which a task is satisfied. */
export function recordCheckPath(check: TaskCheck, buildingId: string): string {
  return `/operative-tasks/${slugOf(TASK_CHECK_VOCABULARY[check].kind)}?site=${buildingId}`;
}
