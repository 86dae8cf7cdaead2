import { parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';

/** Returns whether the certificate states the date of the next occurrence; the completion form then asks for the date. */
export function isDueByCertificate({ frequency }: Pick<Task, 'frequency'>): boolean {
  return parseFrequency(frequency)?.basis === 'stated';
}
