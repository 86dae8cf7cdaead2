import type { LiveChange } from '../../../live/types.ts';

/** Returns the name of the person who made a change, if the issue itself contains the name. */
export function actorNameIn(event: LiveChange<'issue'>): string | null {
  if (event.op === 'del') return null;
  const { assignedTo, assignedToName, reportedBy, reportedByName } = event.row;
  if (assignedTo === event.actor && assignedToName !== null) return assignedToName;
  return reportedBy === event.actor ? reportedByName : null;
}
