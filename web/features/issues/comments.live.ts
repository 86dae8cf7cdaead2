import type { IssueComment, IssueCursor } from '#shared/features/issues.ts';
import type { Snapshot } from '#shared/live.ts';
import { defineLiveQuery, type LiveChange, type LiveQuery } from '../../live/types.ts';

/** Comments as the screen holds them: an unbroken run up to the newest. */
export type CommentPage = {
  /** Oldest first. */
  rows: IssueComment[];
  /** Are there earlier ones? */
  earlier: boolean;
};

type Asked = { id: string; before?: IssueCursor | undefined; limit: number };
type Ask = (input: Asked, options?: { signal: AbortSignal }) => Promise<Snapshot<IssueComment[]>>;
export type CommentQuery = LiveQuery<{ id: string }, CommentPage, 'issueComment'> & {
  /** The comments before the loaded ones. */
  before(id: string, page: CommentPage): Promise<Snapshot<CommentPage>>;
};

/** How many comments come at first and with each "earlier". */
export const COMMENTS_PAGE = 50;
/** One below what the server gives at once: one more than is wanted tells whether there are earlier ones. */
const MOST = 199;

/** The comments of an issue, read by whatever asks. */
export function commentsOver(ask: Ask): CommentQuery {
  async function read(input: Asked, options?: { signal: AbortSignal }): Promise<Snapshot<CommentPage>> {
    const answer = await ask({ ...input, limit: input.limit + 1 }, options);
    return {
      ...answer,
      data: { rows: answer.data.slice(-input.limit), earlier: answer.data.length > input.limit },
    };
  }
  return {
    ...defineLiveQuery<{ id: string }, CommentPage, 'issueComment'>({
      name: 'issues.comments',
      entities: ['issueComment'],
      fetch: ({ id }, { signal, limit = 0 }) =>
        read({ id, limit: Math.min(MOST, Math.max(COMMENTS_PAGE, limit)) }, { signal }),
      apply: (page, event, { input }) => foldComment(page, event, input.id),
      lose(page, lost) {
        const rows = page.rows.filter(({ buildingId }) => !lost(buildingId));
        return rows.length === page.rows.length ? page : { ...page, rows };
      },
      merge: (page, further) => ({
        rows: [
          ...further.rows.filter(({ id }) => !page.rows.some((held) => held.id === id)),
          ...page.rows,
        ].sort(byTime),
        earlier: further.earlier,
      }),
      size: (page) => page.rows.length,
    }),
    before: (id, page) => {
      const [first] = page.rows;
      const before = first && { createdAt: first.createdAt, id: first.id };
      return read({ id, before, limit: COMMENTS_PAGE });
    },
  };
}

/** A comment comes once, at its place in time; comments are never edited. */
function foldComment(page: CommentPage, event: LiveChange<'issueComment'>, issueId: string): CommentPage {
  const held = page.rows.find(({ id }) => id === event.entityId);
  if (held !== undefined && held.version >= event.version) return page;
  const others = page.rows.filter((row) => row !== held);
  if (event.op === 'del') return held === undefined ? page : { ...page, rows: others };
  if (event.row.issueId !== issueId) return page;
  const [first] = page.rows;
  // Before the loaded ones nothing is known: it comes with its page.
  if (page.earlier && first !== undefined && byTime(event.row, first) < 0) return page;
  return { ...page, rows: [...others, event.row].sort(byTime) };
}

function byTime(a: IssueComment, b: IssueComment): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id === b.id ? 0 : 1;
}
