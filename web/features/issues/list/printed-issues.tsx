import { formatDate } from '#shared/dates.ts';
import type { Issue, IssueFilter } from '#shared/features/issues/issues.ts';
import {
  ISSUE_DATE_RANGE_LABELS,
  ISSUE_PRIORITY_LABELS,
  ISSUE_STATUS_LABELS,
} from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { presentTime } from '../../../lib/time/present-time.ts';
import { type PrintedColumn, PrintedList } from '../../../ui/lists/printed-list.tsx';
import { reporterOf } from '../details/reporter-of.ts';
import { slaOf } from '../sla.ts';

const COLUMNS: readonly PrintedColumn<Issue>[] = [
  { isWhole: true, name: 'Reference', of: ({ referenceNumber }) => referenceNumber },
  { isLong: true, name: 'Title', of: ({ title }) => title },
  { name: 'Building', of: ({ buildingName }) => buildingName },
  { name: 'Priority', of: ({ priority }) => ISSUE_PRIORITY_LABELS[priority] },
  { isWhole: true, name: 'Status', of: ({ status }) => ISSUE_STATUS_LABELS[status] },
  { isWhole: true, name: 'Created', of: ({ createdAt }) => formatDate(createdAt) },
  { name: 'Reported by', of: reporterOf },
  { name: 'Assigned to', of: ({ assignedToName }) => assignedToName },
  { name: 'Clock', of: (issue) => slaOf(issue, presentTime())?.printed },
];

export type PrintedIssuesProps = {
  rows: readonly Issue[];
  total: number | undefined;
  hasMore: boolean;
  filter: IssueFilter;
  /** Only issues that are assigned to this person. */
  mine: boolean;
  showBuilding: boolean;
};

/** The issues of any view as a table on paper. */
export default function PrintedIssues({ filter, mine, showBuilding, rows, ...props }: PrintedIssuesProps) {
  const { statuses = [], priorities = [], range, search = '' } = filter;
  return (
    <PrintedList
      {...props}
      rows={rows}
      caption="Issues"
      columns={showBuilding ? COLUMNS : COLUMNS.filter(({ name }) => name !== 'Building')}
      counted={messages.issues.count}
      filters={[
        showBuilding ? 'All buildings' : rows[0]?.buildingName,
        statuses.map((status) => ISSUE_STATUS_LABELS[status]).join(', '),
        priorities.map((priority) => ISSUE_PRIORITY_LABELS[priority]).join(', '),
        range !== undefined && `Created: ${ISSUE_DATE_RANGE_LABELS[range]}`,
        mine && 'Assigned to me',
        search !== '' && `“${search}”`,
      ]}
    />
  );
}
