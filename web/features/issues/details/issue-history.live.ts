import { api } from '../../../lib/trpc/trpc.ts';
import { defineHistory } from '../../../live/history.ts';
import { actorNameIn } from './actor-name.ts';

/** The history of one issue. */
export const issueHistory = defineHistory(
  'issues.history',
  'issue',
  (input, options) => api.issues.history.query(input, options),
  actorNameIn,
);
