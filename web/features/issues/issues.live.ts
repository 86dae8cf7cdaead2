import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues.ts';
import { api } from '../../lib/trpc.ts';
import { defineHistory } from '../../live/history.ts';
import { defineLiveQuery, type FetchContext } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';
import { actorNameIn } from './actor-name.ts';
import { commentsOver } from './comments.live.ts';
import { foldIssueCounts, foldIssueList, joinIssuePages } from './fold-issue-list.ts';

/** How many issues a page brings, and the most that the server gives at once. */
const PAGE = 50;
const MOST = 200;

/** Issues that a filter lets through, newest first; the board has one such list for each status. */
export const issueList = defineLiveQuery<IssueFilter, IssuePage, 'issue' | 'building'>({
  name: 'issues.list',
  entities: ['issue', 'building'],
  fetch: fetchIssues,
  apply: (page, event, { input, now }) => foldIssueList(page, event, input, now),
  lose(page, lost) {
    const rows = page.rows.filter((row) => !lost(row.buildingId));
    return rows.length === page.rows.length ? page : { ...page, rows };
  },
  merge: joinIssuePages,
  changesAt: (page) => page.changesAt,
  size: (page) => page.rows.length,
});

/** A list that had grown by several pages is fetched again at its length: what is joined is as old as its first part. */
async function fetchIssues(filter: IssueFilter, { signal, limit = PAGE }: FetchContext) {
  const ask = (cursor: IssuePage['nextCursor'], rest: number) =>
    api.issues.list.query(
      { filter, limit: Math.min(MOST, Math.max(PAGE, rest)), ...(cursor === null ? {} : { cursor }) },
      { signal },
    );
  const first = await ask(null, limit);
  let data = first.data;
  while (data.rows.length < limit && data.nextCursor !== null) {
    data = joinIssuePages(data, (await ask(data.nextCursor, limit - data.rows.length)).data);
  }
  return { ...first, data };
}

/** The page after the loaded ones. */
export function fetchFurtherIssues(filter: IssueFilter, page: IssuePage) {
  const limit = page.rows.length >= MOST ? MOST : PAGE;
  return api.issues.list.query({
    filter,
    limit,
    ...(page.nextCursor === null ? {} : { cursor: page.nextCursor }),
  });
}

/** How many there are, in all and per status. */
export const issueCounts = defineLiveQuery<IssueFilter, IssueCounts, 'issue'>({
  name: 'issues.counts',
  entities: ['issue'],
  fetch: (filter, { signal }) => api.issues.counts.query({ filter }, { signal }),
  apply: (counts, event, { input, now }) => foldIssueCounts(counts, event, input, now),
  changesAt: (counts) => counts.changesAt,
});

/** One issue; null once it is out of sight. */
export const oneIssue = defineLiveQuery<{ id: string }, Issue | null, 'issue' | 'building'>({
  name: 'issues.get',
  entities: ['issue', 'building'],
  fetch: (input, { signal }) => api.issues.get.query(input, { signal }),
  apply(issue, event, { input }) {
    if (event.entity === 'building') {
      return issue === null ? null : (renameBuilding([issue], event)[0] ?? null);
    }
    if (event.entityId !== input.id || (issue !== null && issue.version >= event.version)) return issue;
    return event.op === 'del' ? null : event.row;
  },
  lose: (issue, lost) => (issue !== null && lost(issue.buildingId) ? null : issue),
});

/** What was said about an issue, oldest first; the newest of it at first. */
export const issueComments = commentsOver(({ id, before, limit }, options) =>
  api.issues.comments.query({ id, limit, ...(before === undefined ? {} : { before }) }, options),
);

export const issueHistory = defineHistory(
  'issues.history',
  'issue',
  (input, options) => api.issues.history.query(input, options),
  actorNameIn,
);
