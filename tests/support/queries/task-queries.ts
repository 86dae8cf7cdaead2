import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { taskList, taskOverview } from '#web/features/tasks/tasks.live.ts';

/** The screen's own queries, fetched through a client in Node. */
export function taskQueriesOver(api: TRPCClient<AppRouter>) {
  return {
    taskList: {
      ...taskList,
      fetch: (input, { signal }) => api.tasks.list.query(input, { signal }),
    } satisfies typeof taskList,
    taskOverview: {
      ...taskOverview,
      fetch: (input, { signal }) => api.tasks.overview.query(input, { signal }),
    } satisfies typeof taskOverview,
  };
}
