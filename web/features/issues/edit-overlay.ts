import { applyIssueEdit, type DueDates, endedPause } from '#shared/features/issues/issue-edit.ts';
import type { Issue, IssueEdit } from '#shared/features/issues/issues.ts';

/** The fields of an edit, with the name of the assignee. */
export type IssuePatch = Partial<IssueEdit & Pick<Issue, 'assignedToName'>>;

/**
 * Returns the fields to show until the server has answered, changed as the server's command changes them. Only the server
 * knows response targets and working hours, so due dates that depend on them stay the same until it answers.
 * @param now ISO
 */
export function editOverlay(issue: Issue, patch: IssuePatch, now: string): Partial<Issue> {
  const { assignedToName, ...set } = patch;
  const moved = applyIssueEdit(issue, set, now, () => dueDatesAfterPause(issue, set, now));
  return assignedToName === undefined ? moved : { ...moved, assignedToName };
}

/**
 * Shifts the due dates by the length of the pause that ends. Exact for targets in hours; targets in working days come
 * out too late, by the hours outside working time.
 */
function dueDatesAfterPause(issue: Issue, set: Partial<IssueEdit>, now: string): DueDates {
  const pause = endedPause(issue, set, now);
  const ms = pause === null ? 0 : Math.max(0, Date.parse(pause.to) - Date.parse(pause.from));
  const later = (due: string | null) => (due === null ? null : new Date(Date.parse(due) + ms).toISOString());
  return { respondDueAt: later(issue.respondDueAt), resolveDueAt: later(issue.resolveDueAt) };
}
