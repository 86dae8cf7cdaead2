import { formatDateTime } from '#shared/dates.ts';
import { type IssueCursor, issueFilterSchema } from '#shared/features/issues/issues.ts';
import { ISSUE_PRIORITY_LABELS, ISSUE_STATUS_LABELS } from '#shared/features/issues/issues.vocabulary.ts';
import { actorLabel } from '#shared/text/names.ts';
import { EXPORT_ROWS, exportedList } from '../../kernel/lists/exported-list.ts';
import { listIssues } from './issues.queries.ts';

export const exportedLists = {
  issues: exportedList({
    permission: 'view_building_issues',
    columns: [
      'Reference',
      'Title',
      'Description',
      'Building',
      'Status',
      'Priority',
      'Created',
      'Updated',
      'Resolved',
      'Reported by',
      'Assigned to',
    ],
    filter: issueFilterSchema,
    async *pages({ services: { db, clock }, actor, timeZone }, filter) {
      const now = clock.now();
      let cursor: IssueCursor | undefined;
      do {
        const page = await listIssues(db, actor, { filter, cursor, limit: EXPORT_ROWS }, now);
        yield page.rows.map((issue) => [
          issue.referenceNumber,
          issue.title,
          issue.description,
          issue.buildingName,
          ISSUE_STATUS_LABELS[issue.status],
          ISSUE_PRIORITY_LABELS[issue.priority],
          formatDateTime(issue.createdAt, timeZone),
          formatDateTime(issue.updatedAt, timeZone),
          issue.resolvedAt === null ? null : formatDateTime(issue.resolvedAt, timeZone),
          issue.reportedByName && actorLabel(issue.reportedByName, issue.reportedByKey),
          issue.assignedToName,
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
};
