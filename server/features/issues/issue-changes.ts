import type { Issue } from '#shared/features/issues/issues.ts';
import { changesIn } from '../../kernel/merge-fields.ts';

/**
 * Returns the changes between two states, for the fields that a history shows: fields that people edit, fields that follow from
 * them, and names of people in place of their ids.
 */
export const changesBetween = changesIn<Issue>([
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
]);
