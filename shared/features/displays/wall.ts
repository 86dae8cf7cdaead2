import type { View } from '../../views.ts';
import type { Issue } from '../issues/issues.ts';
import type { BuildingSummary } from '../locations/locations.ts';
import type { BuildingPulse } from '../pulse/pulse.ts';

// The fields of rows that a display on a wall shows, and their order. The display loads this file, so the file does not load
// the validation library.

/** An issue as a display receives it; texts and names only in the manager's view. */
export type WallIssue = Pick<
  Issue,
  | 'id'
  | 'buildingId'
  | 'status'
  | 'priority'
  | 'createdAt'
  | 'respondedAt'
  | 'respondDueAt'
  | 'resolvedAt'
  | 'resolveDueAt'
  | 'pauseReason'
  | 'pausedAt'
  | 'acknowledgedAt'
  | 'version'
> & { title?: string; acknowledgedByName?: string | null };

/** Names every field that is shown, so that a new field of an issue is never shown by accident. */
export function projectIssue(issue: Issue, view: View): WallIssue {
  const shown = {
    id: issue.id,
    buildingId: issue.buildingId,
    status: issue.status,
    priority: issue.priority,
    createdAt: issue.createdAt,
    respondedAt: issue.respondedAt,
    respondDueAt: issue.respondDueAt,
    resolvedAt: issue.resolvedAt,
    resolveDueAt: issue.resolveDueAt,
    pauseReason: issue.pauseReason,
    pausedAt: issue.pausedAt,
    acknowledgedAt: issue.acknowledgedAt,
    version: issue.version,
  };
  const { title, acknowledgedByName } = issue;
  return view === 'manager' ? { ...shown, title, acknowledgedByName } : shown;
}

/** A building as a display receives it. Its name is written on its door, so both views have it. They do not have the client. */
export type WallPlace = Pick<BuildingSummary, 'id' | 'name' | 'archivedAt' | 'version'>;

export function projectPlace({ id, name, archivedAt, version }: BuildingSummary): WallPlace {
  return { id, name, archivedAt, version };
}

/** The figures of a building as a display receives them: counts alone, in both views. */
export type WallPulse = Pick<
  BuildingPulse,
  'id' | 'buildingId' | 'openIssues' | 'overdueIssues' | 'checks' | 'tasks' | 'version'
>;

export function projectPulse(pulse: BuildingPulse): WallPulse {
  const { id, buildingId, openIssues, overdueIssues, checks, tasks, version } = pulse;
  return { id, buildingId, openIssues, overdueIssues, checks, tasks, version };
}

/** The issues that the screen Now shows: critical and high ones that nobody has resolved. */
export function isUrgent({ status, priority }: Pick<WallIssue, 'status' | 'priority'>): boolean {
  return (status === 'open' || status === 'in_progress') && (priority === 'critical' || priority === 'high');
}

/** Whether an issue still needs a person: critical, not acknowledged, and without a response. */
export function isUnanswered({
  priority,
  respondedAt,
  acknowledgedAt,
}: Pick<WallIssue, 'priority' | 'respondedAt' | 'acknowledgedAt'>): boolean {
  return priority === 'critical' && respondedAt === null && acknowledgedAt === null;
}

/**
 * The next due time, ISO: before a response the earlier of the two targets, afterwards the one to resolve; null if the
 * clock is paused or not set.
 */
export function nextDueAt(issue: WallIssue): string | null {
  const { pausedAt, respondedAt, respondDueAt, resolveDueAt } = issue;
  if (pausedAt !== null) return null;
  if (respondedAt !== null || respondDueAt === null) return resolveDueAt;
  return resolveDueAt !== null && resolveDueAt < respondDueAt ? resolveDueAt : respondDueAt;
}

/** Critical before high, then least time left, then newest. An issue with a stopped clock comes last in its priority. */
export function compareUrgent(a: WallIssue, b: WallIssue): number {
  if (a.priority !== b.priority) return a.priority === 'critical' ? -1 : 1;
  const [dueA, dueB] = [nextDueAt(a), nextDueAt(b)];
  if (dueA !== dueB) {
    if (dueA === null) return 1;
    if (dueB === null) return -1;
    return dueA < dueB ? -1 : 1;
  }
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id > b.id ? -1 : a.id < b.id ? 1 : 0;
}

/** The most issues in a snapshot. If there are more, it has the most urgent ones and the total numbers. */
export const WALL_ISSUES_MAX = 200;

/** The number of whole weeks on the strip of the screen Week: a year. */
export const WALL_WEEKS = 52;

/**
 * The checks whose week or month ended in one past week, at all buildings of a display. The answer of `checks.pastWeeks` is
 * `WALL_WEEKS` of these, the oldest first; both views get counts only.
 */
export type WallWeek = {
  /** The last day of the week, an ISO date. */
  end: string;
  due: number;
  /** The number of the due checks that were done. */
  done: number;
};
