import { formatDay } from '#shared/dates.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { completeTask } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';

/**
 * Returns the day of the mark of non-compliance that stays after a completion, because the completion is dated before the
 * mark (ruling T24); null if no mark stays.
 */
export function markLeftBy({ markedOn }: Pick<Task, 'markedOn'>, day: string): string | null {
  return markedOn !== null && day < markedOn ? markedOn : null;
}

/** Returns the message for a completion that the server has stored. */
export function completedText(task: Pick<Task, 'markedOn'>, day: string, success: string): string {
  const mark = markLeftBy(task, day);
  return mark === null ? success : taskMessages.recordedOnly(formatDay(mark));
}

/**
 * Returns the fields to show until the server has answered a completion, as its command changes them.
 * @param completedBy the name of the person who completes it
 */
export function completionOverlay(
  task: Task,
  { day, stated }: { day: string; stated: string | null },
  completedBy: string,
): Partial<Task> {
  const { anchor, gridDay, due, coveredUntil, completedOn, markedOn } = task;
  const dates = { anchor, gridDay, due, coveredUntil, completedOn, markedOn };
  const done = completeTask(dates, recurrenceFrom(task), { on: day, stated });
  // A completion dated before a mark or another completion is only added to the record; no field changes.
  if (done === dates) return {};
  return {
    ...done,
    completedByName: completedBy,
    // Not known until the server answers, because the server generates the line's id.
    completionId: null,
    markId: null,
    markReason: null,
    occurrence: task.occurrence + 1,
  };
}
