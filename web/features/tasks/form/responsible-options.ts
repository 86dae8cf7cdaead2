import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/trpc/trpc.ts';

/** The names to filter by, and the people who can be made responsible; fetched again after a minute at the earliest. */
export function responsibleOptions(buildingId: string | undefined) {
  const input = buildingId === undefined ? {} : { buildingId };
  return queryOptions({
    queryKey: ['tasks.responsible', input],
    queryFn: ({ signal }) => api.tasks.responsible.query(input, { signal }),
    staleTime: 60_000,
  });
}
