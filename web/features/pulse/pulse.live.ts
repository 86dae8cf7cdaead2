import type { PulsePage, PulseSummary } from '#shared/features/pulse.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveList } from '../../live/list.ts';
import { defineLiveQuery } from '../../live/types.ts';
import { comesOrGoes, foldSummary, rankOf, worstFirst } from './fold-pulse.ts';

/** The sums over the person's buildings. */
export const pulseSummary = defineLiveQuery<undefined, PulseSummary, 'buildingPulse' | 'place'>({
  name: 'pulse.summary',
  entities: ['buildingPulse', 'place'],
  fetch: (_input, { signal }) => api.pulse.summary.query(undefined, { signal }),
  apply: foldSummary,
});

/** The figures of each building, those with the most overdue tasks first. */
export const pulseList = defineLiveList<undefined, PulsePage, 'buildingPulse' | 'place'>({
  name: 'pulse.list',
  entities: ['buildingPulse', 'place'],
  pageSize: 8,
  maxPageSize: 500,
  fetchPage: (_input, page, options) => api.pulse.list.query(page, options),
  compare: (row, other) => worstFirst(rankOf(row), 'tasks' in other ? rankOf(other) : other),
  apply(page, event, { change }) {
    if (event.entity === 'buildingPulse') return change(page, event, () => true);
    return comesOrGoes(event) ? 'refetch' : page;
  },
  buildingOf: ({ buildingId }) => buildingId,
});
