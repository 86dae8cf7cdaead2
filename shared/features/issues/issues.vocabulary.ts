// Separate from the schemas, so that a screen can name a status without loading the validation library.

export const ISSUE_STATUSES = ['open', 'in_progress', 'resolved', 'closed'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];
export const ISSUE_STATUS_LABELS: Readonly<Record<IssueStatus, string>> = {
  open: 'Open',
  in_progress: 'In Progress',
  resolved: 'Resolved',
  closed: 'Closed',
};

/** Lowest first: the index is the number of steps on the priority bars. */
export const ISSUE_PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];
export const ISSUE_PRIORITY_LABELS: Readonly<Record<IssuePriority, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

export const ISSUE_DATE_RANGES = ['all', 'week', 'month', 'overdue'] as const;
export type IssueDateRange = (typeof ISSUE_DATE_RANGES)[number];
export const ISSUE_DATE_RANGE_LABELS: Readonly<Record<IssueDateRange, string>> = {
  all: 'All Time',
  week: 'This Week',
  month: 'This Month',
  overdue: 'Overdue',
};

/** The reasons for which the clocks of an issue are paused. */
export const PAUSE_REASONS = ['parts', 'access', 'contractor'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];
export const PAUSE_REASON_LABELS: Readonly<Record<PauseReason, string>> = {
  parts: 'Waiting for parts',
  access: 'Waiting for access',
  contractor: 'Waiting for a contractor',
};

/** The maximum length of a search text. */
export const ISSUE_SEARCH_MAX = 100;
