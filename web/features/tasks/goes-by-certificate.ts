import type { Task } from '#shared/features/tasks.ts';
import { parseFrequency } from '#shared/task-frequency.ts';

/** Whether the next occurrence is the date that the certificate states, so that completing it asks for that date. */
export function goesByCertificate({ frequency }: Pick<Task, 'frequency'>): boolean {
  return parseFrequency(frequency)?.basis === 'stated';
}
