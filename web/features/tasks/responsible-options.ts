import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/trpc.ts';

/** The names to filter by, and the people who can be made responsible; asked again at each opening of the page. */
export function responsibleOptions(buildingId: string | undefined) {
  const input = buildingId === undefined ? {} : { buildingId };
  return queryOptions({
    queryKey: ['tasks.responsible', input],
    queryFn: ({ signal }) => api.tasks.responsible.query(input, { signal }),
    staleTime: 60_000,
  });
}
