import type { Issue } from '#shared/features/issues.ts';
import type { Changes } from '#shared/live.ts';

/** What a history tells: what people set, what followed from it, and the name beside each person's id. */
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
  'respondDueAt',
  'resolveDueAt',
] as const satisfies readonly (keyof Issue)[];

/** Field → what it was and what it became, for every field that differs. */
export function changesBetween(before: Issue, after: Issue): Changes {
  const changes: Changes = {};
  for (const field of TOLD) {
    if (before[field] !== after[field]) changes[field] = [before[field], after[field]];
  }
  return changes;
}
