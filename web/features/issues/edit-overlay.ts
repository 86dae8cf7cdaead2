import { applyIssueEdit, type DueDates, endedPause } from '#shared/features/issue-edit.ts';
import type { Issue, IssueEdit } from '#shared/features/issues.ts';

/** The fields of an edit, and the name that goes with an assignee. */
export type IssuePatch = Partial<IssueEdit & Pick<Issue, 'assignedToName'>>;

/**
 * The fields that a card shows until the server has answered: as the server's command moves them. Response targets and
 * working time are the server's, so a due date that a new target moves stays where it is until then.
 * @param now ISO
 */
export function editOverlay(issue: Issue, patch: IssuePatch, now: string): Partial<Issue> {
  const { assignedToName, ...set } = patch;
  const moved = applyIssueEdit(issue, set, now, () => dueDatesAfterPause(issue, set, now));
  return assignedToName === undefined ? moved : { ...moved, assignedToName };
}

/** Later by the length of the pause that ends: exact for a target in hours; in working days the nights are too many. */
function dueDatesAfterPause(issue: Issue, set: Partial<IssueEdit>, now: string): DueDates {
  const pause = endedPause(issue, set, now);
  const ms = pause === null ? 0 : Math.max(0, Date.parse(pause.to) - Date.parse(pause.from));
  const later = (due: string | null) => (due === null ? null : new Date(Date.parse(due) + ms).toISOString());
  return { respondDueAt: later(issue.respondDueAt), resolveDueAt: later(issue.resolveDueAt) };
}
