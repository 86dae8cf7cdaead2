import type { HeldVisits } from '#shared/features/checks/procedure-answers.ts';
import type { HeldCheck } from '#shared/features/checks/rows.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/**
 * Records that wait for a decision, for administrators. An event carries only the part that the recorder may know, and
 * the result of an entry depends on the site as it is now, so every change is fetched again.
 */
export const heldVisits = defineLiveQuery<undefined, HeldVisits, 'heldCheck' | 'place'>({
  name: 'checks.held',
  entities: ['heldCheck', 'place'],
  fetch: (_input, { signal }) => api.checks.held.query(undefined, { signal }),
  apply(held, event) {
    if (event.entity === 'heldCheck') return 'refetch';
    return held.visits.some(({ building }) => building?.id === event.entityId) ? 'refetch' : held;
  },
});

/** The person's own held records and the decisions on them. */
export const heldOfMine = defineLiveQuery<undefined, HeldCheck[], 'heldCheck'>({
  name: 'checks.heldOfMine',
  entities: ['heldCheck'],
  fetch: (_input, { signal }) => api.checks.heldOfMine.query(undefined, { signal }),
  apply: () => 'refetch',
});
