import type { Task } from '#shared/features/tasks.ts';
import { recurrenceFrom } from '#shared/task-frequency.ts';
import { missedOccurrences } from '#shared/task-schedule.ts';

/** How many whole occurrences were missed if a task is done on a day; their reason is asked then (ruling T38). */
export function missedBy(task: Task, day: string): number {
  return missedOccurrences(task, recurrenceFrom(task), day);
}
