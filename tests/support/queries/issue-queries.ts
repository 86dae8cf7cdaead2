import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { commentsOver } from '#web/features/issues/details/comments.live.ts';
import { issueCounts, issueList, oneIssue } from '#web/features/issues/issues.live.ts';

/** The screen's own queries, fetched through a client in Node. */
export function issueQueriesOver(api: TRPCClient<AppRouter>) {
  return {
    list: {
      ...issueList,
      fetch: (filter, { signal, limit = 50 }) =>
        api.issues.list.query({ filter, limit: Math.max(50, Math.min(200, limit)) }, { signal }),
    } satisfies typeof issueList,
    counts: {
      ...issueCounts,
      fetch: (filter, { signal }) => api.issues.counts.query({ filter }, { signal }),
    } satisfies typeof issueCounts,
    one: {
      ...oneIssue,
      fetch: (input, { signal }) => api.issues.get.query(input, { signal }),
    } satisfies typeof oneIssue,
    comments: commentsOver((input, options) => api.issues.comments.query(input, options)),
  };
}
