import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import type { SiteScheduleInput } from '#shared/features/checks/queries.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/** The schedule of every kind of check at a site. */
export const siteSchedule = defineLiveQuery<
  SiteScheduleInput,
  SiteSchedule,
  'place' | 'checkVisit' | 'asset'
>({
  name: 'checks.schedule',
  entities: ['place', 'checkVisit', 'asset'],
  fetch: (input, { signal }) => api.checks.schedule.query(input, { signal }),
  apply(schedule, event, { input }) {
    if (event.entity === 'place') return event.entityId === input.buildingId ? 'refetch' : schedule;
    return event.op === 'del' || event.row.buildingId === input.buildingId ? 'refetch' : schedule;
  },
});
