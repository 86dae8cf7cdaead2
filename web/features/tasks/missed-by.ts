import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { missedOccurrences } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';

/** Returns the number of whole occurrences missed if a task is done on a day; if any, a reason is required (ruling T38). */
export function missedBy(task: Task, day: string): number {
  return missedOccurrences(task, recurrenceFrom(task), day);
}
