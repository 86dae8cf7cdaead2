import { compareIssues } from '#shared/features/issues/issue-filter.ts';
import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues/issues.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveList } from '../../live/list.ts';
import { defineLiveQuery } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';
import { earlier, foldIssueCounts, foldIssueList } from './fold-issue-list.ts';

/** Issues that match a filter, newest first; the board has one such list for each status. */
export const issueList = defineLiveList<IssueFilter, IssuePage, 'issue' | 'building'>({
  name: 'issues.list',
  entities: ['issue', 'building'],
  pageSize: 50,
  maxPageSize: 200,
  fetchPage: (filter, page, options) => api.issues.list.query({ filter, ...page }, options),
  compare: compareIssues,
  apply: foldIssueList,
  buildingOf: (issue) => issue.buildingId,
  joinRest: (page, further) => ({ changesAt: earlier(page.changesAt, further.changesAt) }),
  changesAt: (page) => page.changesAt,
});

/** The number of issues, in total, matching the filter, and by status. */
export const issueCounts = defineLiveQuery<IssueFilter, IssueCounts, 'issue'>({
  name: 'issues.counts',
  entities: ['issue'],
  fetch: (filter, { signal }) => api.issues.counts.query({ filter }, { signal }),
  apply: (counts, event, { input, now }) => foldIssueCounts(counts, event, input, now),
  changesAt: (counts) => counts.changesAt,
});

/** One issue; null once it no longer exists or the person has lost access to it. */
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
