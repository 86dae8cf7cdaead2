import { DONE_STATUSES } from './issue-filter.ts';
import type { Issue, IssueEdit } from './issues.ts';
import type { IssueStatus } from './issues.vocabulary.ts';

// The server's command and the browser's overlay both use these functions. The first screen loads this file, so the file
// does not load the validation library.

export type DueDates = Pick<Issue, 'respondDueAt' | 'resolveDueAt'>;
/** A pause, in ISO times, during which both clocks of an issue were stopped. */
export type Pause = { from: string; to: string };
type Clocks = DueDates & Pick<Issue, 'resolvedAt' | 'respondedAt' | 'pauseReason' | 'pausedAt'>;
/** The fields of an issue that an edit reads. */
export type EditedIssue = IssueEdit & Clocks & Pick<Issue, 'updatedAt'>;

export function isDone(status: IssueStatus): boolean {
  return DONE_STATUSES.includes(status);
}

/** The pause that an edit ends: by clearing its reason, or by setting the status to resolved or closed. Null if none. */
export function endedPause(before: EditedIssue, set: Partial<IssueEdit>, now: string): Pause | null {
  const { status, pauseReason } = { ...before, ...set };
  if (before.pausedAt === null || (pauseReason !== null && !isDone(status))) return null;
  return { from: before.pausedAt, to: now };
}

/** Whether an edit requires new due dates. */
export function movesDueDates(before: EditedIssue, set: Partial<IssueEdit>, now: string): boolean {
  const { status, priority } = { ...before, ...set };
  const reopened = isDone(before.status) && !isDone(status);
  return priority !== before.priority || reopened || endedPause(before, set, now) !== null;
}

/**
 * Applies an edit to an issue, with all its effects on other fields (rulings I1, F6, A21).
 * @param set the fields that people change
 * @param now ISO
 * @param newDueDates called only if `movesDueDates` is true
 * @returns the fields that change; empty if the edit changes nothing
 */
export function applyIssueEdit(
  before: EditedIssue,
  set: Partial<IssueEdit>,
  now: string,
  newDueDates: () => DueDates,
): Partial<EditedIssue> {
  if (Object.keys(differences(before, set)).length === 0) return {};
  const edited = { ...before, ...set };
  const done = isDone(edited.status);
  const leftOpen = before.status === 'open' && edited.status !== 'open';
  const firstAssigned = before.assignedTo === null && edited.assignedTo !== null;
  const pauseReason = done ? null : edited.pauseReason;
  const clocks: Clocks = {
    resolvedAt: done ? (before.resolvedAt ?? now) : null,
    respondedAt: before.respondedAt ?? (leftOpen || firstAssigned ? now : null),
    pauseReason,
    pausedAt: pauseReason === null ? null : (before.pausedAt ?? now),
    respondDueAt: before.respondDueAt,
    resolveDueAt: before.resolveDueAt,
  };
  if (movesDueDates(before, set, now)) {
    const due = newDueDates();
    // A due date no longer moves after its clock has stopped.
    if (before.respondedAt === null) clocks.respondDueAt = due.respondDueAt;
    if (before.resolvedAt === null || !done) clocks.resolveDueAt = due.resolveDueAt;
  }
  return { ...differences(before, { ...edited, ...clocks }), updatedAt: now };
}

function differences(before: EditedIssue, after: Partial<EditedIssue>): Partial<EditedIssue> {
  // The cast: Object.entries loses which values belong to which names.
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => value !== before[field as keyof EditedIssue]),
  );
}
