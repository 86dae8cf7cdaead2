import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/trpc/trpc.ts';

/** Query for the names to filter by, and the people who can be made responsible. Results are fresh for a minute. */
export function responsibleOptions(buildingId: string | undefined) {
  const input = buildingId === undefined ? {} : { buildingId };
  return queryOptions({
    queryKey: ['tasks.responsible', input],
    queryFn: ({ signal }) => api.tasks.responsible.query(input, { signal }),
    staleTime: 60_000,
  });
}
