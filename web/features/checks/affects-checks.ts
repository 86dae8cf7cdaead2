import type { LiveChange } from '../../live/types.ts';

/**
 * Returns whether a change to a building affects its checks: the healthcare setting selects the limits, and the
 * schedule determines the due dates.
 */
export function changesChecks({ changes }: LiveChange<'place'>): boolean {
  return changes !== null && ('isHealthcare' in changes || 'schedule' in changes);
}

/** Returns whether a change to an asset affects the subjects of checks: its existence, type, name or retirement. */
export function changesSubjects({ op, changes }: LiveChange<'asset'>): boolean {
  return op === 'del' || changes === null || ['type', 'name', 'retiredAt'].some((field) => field in changes);
}
