import type { Issue } from '#shared/features/issues/issues.ts';
import type { Changes } from '#shared/live/live.ts';

/**
 * The fields that a history shows: fields that people edit, fields that follow from them, and names of people in place of
 * their ids.
 */
const TOLD = [
  'title',
  'description',
  'status',
  'priority',
  'assignedTo',
  'assignedToName',
  'pauseReason',
  'pausedAt',
  'respondedAt',
  'resolvedAt',
  'acknowledgedAt',
  'acknowledgedByName',
  'respondDueAt',
  'resolveDueAt',
] as const satisfies readonly (keyof Issue)[];

/** Maps each field that differs to its old and new value. */
export function changesBetween(before: Issue, after: Issue): Changes {
  const changes: Changes = {};
  for (const field of TOLD) {
    if (before[field] !== after[field]) changes[field] = [before[field], after[field]];
  }
  return changes;
}
