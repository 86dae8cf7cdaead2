import {
  ISSUE_DATE_RANGE_LABELS,
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_PRIORITY_LABELS,
  ISSUE_STATUS_LABELS,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { PriorityBars } from '../priority-mark.tsx';
import { StatusIcon } from '../status-mark.tsx';

export const statusOptions = ISSUE_STATUSES.map((value) => ({
  value,
  label: ISSUE_STATUS_LABELS[value],
  icon: <StatusIcon status={value} />,
}));
export const priorityOptions = ISSUE_PRIORITIES.toReversed().map((value) => ({
  value,
  label: ISSUE_PRIORITY_LABELS[value],
  icon: <PriorityBars priority={value} />,
}));
export const rangeOptions = ISSUE_DATE_RANGES.map((value) => ({
  value,
  label: ISSUE_DATE_RANGE_LABELS[value],
}));

/** Returns an empty filter when all options are selected, which means the same. */
export function all<T>(chosen: T[], of: number): T[] {
  return chosen.length === of ? [] : chosen;
}
