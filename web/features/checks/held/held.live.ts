import type { HeldVisits } from '#shared/features/checks/answers.ts';
import type { HeldCheck } from '#shared/features/checks/rows.ts';
import { api } from '../../../lib/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/**
 * Records that wait for a decision, for whoever decides. What a line comes to depends on the site as it is, and the
 * event tells no more than its recorder may know: the server is asked.
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

/** One's own records that were held, and what was decided about them. */
export const heldOfMine = defineLiveQuery<undefined, HeldCheck[], 'heldCheck'>({
  name: 'checks.heldOfMine',
  entities: ['heldCheck'],
  fetch: (_input, { signal }) => api.checks.heldOfMine.query(undefined, { signal }),
  apply: () => 'refetch',
});
