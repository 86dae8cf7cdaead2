import { addMonths } from '../../dates.ts';
import { taskMessages } from './tasks-messages.ts';

/**
 * The problem with the date that a certificate states, as a sentence for the field; undefined for a valid date.
 * @param done.day the day of the completion that it certifies
 */
export function certificateFault(
  stated: string | null,
  { day, today }: { day: string; today: string },
): string | undefined {
  if (stated === null) return taskMessages.statedRequired;
  if (stated <= day) return taskMessages.statedTooEarly;
  return stated > addMonths(today, 120) ? taskMessages.statedTooLate : undefined;
}
