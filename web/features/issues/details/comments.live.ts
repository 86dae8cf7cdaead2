import { compareIssues as newestFirst } from '#shared/features/issues/issue-filter.ts';
import type { IssueComment, IssueCursor } from '#shared/features/issues/issues.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveList, type ListPage, type LiveList } from '../../../live/list.ts';

/** The loaded comments, newest first, without gaps since the oldest loaded one. */
export type CommentPage = ListPage<IssueComment, IssueCursor>;

type Asked = { id: string; before?: IssueCursor | undefined; limit: number };
type Ask = (input: Asked, options: { signal: AbortSignal }) => Promise<Snapshot<IssueComment[]>>;
type CommentList = LiveList<{ id: string }, CommentPage, 'issueComment'>;

/** Number of comments loaded at first and with each "Show earlier comments". */
export const COMMENTS_PAGE = 50;

/** Defines the list of an issue's comments over any query function, so that tests can supply their own. */
export function commentsOver(ask: Ask): CommentList {
  return defineLiveList<{ id: string }, CommentPage, 'issueComment'>({
    name: 'issues.comments',
    entities: ['issueComment'],
    pageSize: COMMENTS_PAGE,
    // One below the server's limit, because one comment more than wanted is requested to find out whether there are more.
    maxPageSize: 199,
    async fetchPage({ id }, { cursor, limit }, options) {
      const answer = await ask({ id, before: cursor, limit: limit + 1 }, options);
      const rows = answer.data.slice(-limit).reverse();
      const oldest = rows.at(-1);
      const isAll = oldest === undefined || answer.data.length <= limit;
      const nextCursor = isAll ? null : { createdAt: oldest.createdAt, id: oldest.id };
      return { ...answer, data: { rows, nextCursor } };
    },
    compare: newestFirst,
    // Comments are only added, never edited.
    apply: (page, event, { input, change }) => change(page, event, (row) => row.issueId === input.id),
    buildingOf: (comment) => comment.buildingId,
  });
}

/** The comments of an issue. */
export const issueComments = commentsOver((input, options) => api.issues.comments.query(input, options));
