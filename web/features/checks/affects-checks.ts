import type { LiveChange } from '../../live/types.ts';

/**
 * Returns whether a change to a building affects its checks: the healthcare setting selects limits, the schedule due
 * dates.
 */
export function changesChecks({ changes }: LiveChange<'place'>): boolean {
  return changes !== null && ('isHealthcare' in changes || 'schedule' in changes);
}
