import { parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';

/** Whether the certificate states the date of the next occurrence, so that completing the task asks for that date. */
export function isDueByCertificate({ frequency }: Pick<Task, 'frequency'>): boolean {
  return parseFrequency(frequency)?.basis === 'stated';
}
