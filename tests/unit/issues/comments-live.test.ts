import { describe, expect, test } from 'vitest';
import type { IssueComment } from '#shared/features/issues/issues.ts';
import { COMMENTS_PAGE, type CommentPage, commentsOver } from '#web/features/issues/details/comments.live.ts';
import type { LiveChange } from '#web/live/types.ts';

const ISSUE = '33333333-0000-7000-8000-000000000001';
const said = Array.from({ length: 120 }, (_, n) => commentOf(n));
const input = { id: ISSUE };
const context = { input, now: 0 };
const { signal } = new AbortController();

function commentOf(n: number): IssueComment {
  return {
    id: `44444444-0000-7000-8000-${String(n).padStart(12, '0')}`,
    issueId: ISSUE,
    buildingId: '55555555-0000-7000-8000-000000000001',
    body: `Comment ${n}`,
    authorId: '66666666-0000-7000-8000-000000000001',
    authorName: 'Sam Taylor',
    authorNow: null,
    createdAt: new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString(),
    version: 1,
  };
}

function put(row: IssueComment): LiveChange<'issueComment'> {
  const { id: entityId, version, createdAt: at } = row;
  const origin = { actor: row.authorId, command: 'issues.comment', operationId: null, outboxId: '1' };
  return { op: 'put', entity: 'issueComment', entityId, version, at, g: 1, row, changes: null, ...origin };
}

/** Answers as the server does: the newest `limit` comments before a given one, oldest first. */
const query = commentsOver(async ({ before, limit }) => {
  const end = before === undefined ? said.length : said.findIndex(({ id }) => id === before.id);
  return { asOf: 'e.1', data: said.slice(Math.max(0, end - limit), end) };
});

async function firstPage(): Promise<CommentPage> {
  return (await query.fetch(input, { signal })).data;
}

describe('the comments of an issue', () => {
  test('come newest first, and page by page to the first one', async () => {
    let page = await firstPage();
    expect(page.rows).toEqual(said.slice(-COMMENTS_PAGE).reverse());
    while (page.nextCursor !== null) {
      const further = (await query.fetchMore(input, page, { signal })).data;
      page = query.merge(page, further, input);
    }
    expect(page.rows).toEqual(said.toReversed());
  });

  test('a new one is put first, a second copy of it changes nothing', async () => {
    const page = await firstPage();
    const fresh = commentOf(500);
    const after = query.apply(page, put(fresh), context);
    expect(after).toEqual({ ...page, rows: [fresh, ...page.rows] });
    expect(query.apply(after as CommentPage, put(fresh), context)).toBe(after);
  });

  test('one from before the loaded ones leaves no hole: it comes with its page', async () => {
    const page = await firstPage();
    expect(query.apply(page, put(commentOf(3)), context)).toBe(page);
  });
});
