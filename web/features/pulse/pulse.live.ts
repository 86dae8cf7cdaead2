import type { PulsePage, PulseSummary, Upkeep } from '#shared/features/pulse/pulse.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
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

const UPKEEP_MS = 60_000;

/** Other figures of the dashboard's cards. No event reports their changes, so they are fetched every minute. */
export const upkeep = defineLiveQuery<undefined, Upkeep & { at: string }, never>({
  name: 'pulse.upkeep',
  entities: [],
  async fetch(_input, { signal }) {
    const answer = await api.pulse.upkeep.query(undefined, { signal });
    return { ...answer, data: { ...answer.data, at: presentInstant() } };
  },
  apply: (value) => value,
  changesAt: ({ at }) => new Date(Date.parse(at) + UPKEEP_MS).toISOString(),
});

/** The figures of each building, buildings with the most overdue tasks first. */
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
