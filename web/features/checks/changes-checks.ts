import type { LiveChange } from '../../live/types.ts';

/** Does this change of a building say by what its checks are judged, or when they are due? */
export function changesChecks({ changes }: LiveChange<'place'>): boolean {
  return changes !== null && ('isHealthcare' in changes || 'schedule' in changes);
}
