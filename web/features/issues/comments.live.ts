import { compareIssues as newestFirst } from '#shared/features/issue-filter.ts';
import type { IssueComment, IssueCursor } from '#shared/features/issues.ts';
import type { Snapshot } from '#shared/live.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveList, type ListPage, type LiveList } from '../../live/list.ts';

/** Comments as the screen holds them, newest first: an unbroken run back from the newest. */
export type CommentPage = ListPage<IssueComment, IssueCursor>;

type Asked = { id: string; before?: IssueCursor | undefined; limit: number };
type Ask = (input: Asked, options: { signal: AbortSignal }) => Promise<Snapshot<IssueComment[]>>;
type CommentList = LiveList<{ id: string }, CommentPage, 'issueComment'>;

/** How many comments come at first and with each "earlier". */
export const COMMENTS_PAGE = 50;

/** The comments of an issue, read by whatever asks. */
export function commentsOver(ask: Ask): CommentList {
  return defineLiveList<{ id: string }, CommentPage, 'issueComment'>({
    name: 'issues.comments',
    entities: ['issueComment'],
    pageSize: COMMENTS_PAGE,
    // One below what the server gives at once: one more than is wanted tells whether there are earlier ones.
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
    // A comment comes once; comments are never edited.
    apply: (page, event, { input, change }) => change(page, event, (row) => row.issueId === input.id),
    buildingOf: (comment) => comment.buildingId,
  });
}

/** What was said about an issue. */
export const issueComments = commentsOver((input, options) => api.issues.comments.query(input, options));
