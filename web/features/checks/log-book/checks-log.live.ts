import type {
  CheckThread,
  LogYear,
  MissingSites,
  Trend,
  YearGridData,
} from '#shared/features/checks/procedure-answers.ts';
import type {
  LogFilter,
  LogYearInput,
  MissingSitesInput,
  YearGridInput,
} from '#shared/features/checks/queries.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveList } from '../../../live/list.ts';
import { defineLiveQuery } from '../../../live/types.ts';
import { changesChecks } from '../affects-checks.ts';
import {
  foldLogYear,
  foldMissing,
  foldRecords,
  foldThread,
  foldYearGrid,
  type GridEntity,
  newestFirst,
  type RecordsPage,
} from './fold-log.ts';

/** One site's year of one log: visits, incidents, missed periods and subjects. */
export const logYear = defineLiveQuery<
  LogYearInput,
  LogYear,
  'checkVisit' | 'missedPeriod' | 'testPoint' | 'asset' | 'place'
>({
  name: 'checks.logYear',
  entities: ['checkVisit', 'missedPeriod', 'testPoint', 'asset', 'place'],
  fetch: (input, { signal }) => api.checks.logYear.query(input, { signal }),
  apply: (year, event, { input }) => foldLogYear(year, event, input),
});

/** Records of one log that match a filter, newest first. */
export const logRecords = defineLiveList<LogFilter, RecordsPage, 'checkVisit'>({
  name: 'checks.logRecords',
  entities: ['checkVisit'],
  pageSize: 50,
  maxPageSize: 200,
  async fetchPage(filter, page, options) {
    const answer = await api.checks.logRecords.query({ filter, ...page }, options);
    const { visits, nextCursor } = answer.data;
    return { ...answer, data: { rows: visits, nextCursor } };
  },
  compare: newestFirst,
  apply: foldRecords,
  buildingOf: (visit) => visit.buildingId,
});

/** A year of one log over all sites. */
export const yearGrid = defineLiveQuery<YearGridInput, YearGridData, GridEntity>({
  name: 'checks.yearGrid',
  entities: ['checkVisit', 'missedPeriod', 'asset', 'place'],
  fetch: (input, { signal }) => api.checks.yearGrid.query(input, { signal }),
  apply: (grid, event, { input }) => foldYearGrid(grid, event, input),
  lose(grid, lost) {
    const sites = grid.sites.filter(({ buildingId }) => !lost(buildingId));
    return sites.length === grid.sites.length ? grid : { ...grid, sites };
  },
});

/**
 * Sites where a kind is not done in the current period. The answer names the first ones and counts all, so most
 * changes are fetched again.
 */
export const missingSites = defineLiveQuery<MissingSitesInput, MissingSites, GridEntity>({
  name: 'checks.missing',
  entities: ['checkVisit', 'missedPeriod', 'asset', 'place'],
  fetch: (input, { signal }) => api.checks.missing.query(input, { signal }),
  apply: (missing, event, { input }) => foldMissing(missing, event, input),
  lose: () => 'refetch',
});

/** All readings of one outlet, for the chart. */
export const outletTrend = defineLiveQuery<{ assetId: string }, Trend, 'checkVisit' | 'place'>({
  name: 'checks.trend',
  entities: ['checkVisit', 'place'],
  fetch: (input, { signal }) => api.checks.trend.query(input, { signal }),
  apply(trend, event, { input }) {
    if (event.entity === 'place') {
      return event.entityId === trend.buildingId && changesChecks(event) ? 'refetch' : trend;
    }
    if (event.op === 'del') return trend;
    return event.row.entries.some(({ assetId }) => assetId === input.assetId) ? 'refetch' : trend;
  },
});

/** A record with all that followed: its issue, the comments on the issue, the fix and the retest. */
export const checkThread = defineLiveQuery<
  { entryId: string },
  CheckThread,
  'checkVisit' | 'issue' | 'issueComment' | 'raisedIssue'
>({
  name: 'checks.thread',
  entities: ['checkVisit', 'issue', 'issueComment', 'raisedIssue'],
  fetch: (input, { signal }) => api.checks.thread.query(input, { signal }),
  apply: foldThread,
});
