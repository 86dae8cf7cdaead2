import type { Task } from '#shared/features/tasks.ts';
import { recurrenceFrom } from '#shared/task-frequency.ts';
import { missedOccurrences } from '#shared/task-schedule.ts';

/** How many whole occurrences are missed if a task is done on a day; if any, the person gives a reason (ruling T38). */
export function missedBy(task: Task, day: string): number {
  return missedOccurrences(task, recurrenceFrom(task), day);
}
