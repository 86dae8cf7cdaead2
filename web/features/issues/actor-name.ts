import type { LiveChange } from '../../live/types.ts';

/** The name of who changed an issue, where the issue itself tells it. */
export function actorNameIn(event: LiveChange<'issue'>): string | null {
  if (event.op === 'del') return null;
  const { assignedTo, assignedToName, reportedBy, reportedByName } = event.row;
  if (assignedTo === event.actor && assignedToName !== null) return assignedToName;
  return reportedBy === event.actor ? reportedByName : null;
}
