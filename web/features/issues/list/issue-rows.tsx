import { type KeyboardEvent, memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '#shared/dates.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { cx } from '../../../ui/cx.ts';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import { ROW_HEIGHT, TWO_LINE_HEIGHT, useTableWindow } from '../../../ui/lists/use-table-window.ts';
import { WindowTable } from '../../../ui/lists/window-table.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { reporterOf } from '../details/reporter-of.ts';
import { useChangedBy } from '../details/use-changed-by.ts';
import { PriorityMark } from '../priority-mark.tsx';
import { SlaBadge } from '../sla-badge.tsx';
import { StatusBadge } from '../status-mark.tsx';

type Props = MoreRows & {
  rows: readonly Issue[];
  /** Number of matching issues, including those not loaded yet; undefined if not all are counted. */
  total: number | undefined;
  showBuilding: boolean;
  hrefOf: (id: string) => string;
  onEdit: (issue: Issue) => void;
};

type Column = readonly [name: string, width: string];
const COLUMNS: readonly Column[] = [
  ['Reference', 'w-[6rem]'],
  ['Title', ''],
  ['Building', 'w-[12%]'],
  ['Priority', 'w-[5.75rem]'],
  ['Status', 'w-[7.5rem]'],
  ['Created', 'w-[6.75rem]'],
  ['Resolved', 'w-[6.75rem]'],
  ['Reported by', 'w-[10%]'],
  ['Assigned to', 'w-[10%]'],
  ['Clock', 'w-[8.75rem]'],
];
/** Columns where ten do not fit: related values share a column, on two lines. */
const PAIRED: readonly Column[] = [
  ['Title', ''],
  ['Priority · Clock', 'w-[8.75rem]'],
  ['Status · Assigned to', 'w-[9.5rem]'],
  ['Created · Reported by', 'w-[9.5rem]'],
];

/** Virtualised table with one row for each issue. */
export function IssueRows({ rows, total, showBuilding, hrefOf, onEdit, ...more }: Props) {
  const paired = !useMedia('(min-width: 80rem)');
  const rowHeight = paired ? TWO_LINE_HEIGHT : ROW_HEIGHT;
  const tableWindow = useTableWindow({ ...more, rows, rowHeight });
  const { root, measure, scrollTo } = tableWindow;

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!(event.target instanceof HTMLAnchorElement)) return;
    const id = event.target.closest<HTMLElement>('[data-card]')?.dataset.card;
    const at = rows.findIndex((row) => row.id === id);
    const issue = rows[at];
    if (issue !== undefined && event.key === 'e') {
      event.preventDefault();
      onEdit(issue);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const target = rows[at + step];
    if (step === 0 || target === undefined) return;
    event.preventDefault();
    scrollTo(at + step);
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(target.id)}"] a`)?.focus(),
    );
  }

  const columns = paired ? PAIRED : COLUMNS.filter(([name]) => showBuilding || name !== 'Building');
  const Row = paired ? PairedRow : IssueRow;
  const head = columns.map(([name, width]) => (
    <th key={name} scope="col" className={cx('px-2 font-medium first:pl-3.5', width)}>
      {name}
    </th>
  ));
  return (
    <WindowTable caption="Issues, newest first" rowCount={total} {...{ tableWindow, head, onKeyDown }}>
      {(index) => {
        const issue = rows[index];
        return issue === undefined ? null : <Row {...{ issue, index, measure, showBuilding, hrefOf }} />;
      }}
    </WindowTable>
  );
}

type RowProps = {
  issue: Issue;
  index: number;
  showBuilding: boolean;
  hrefOf: (id: string) => string;
  measure: (row: HTMLTableRowElement | null) => void;
};
const cell = 'truncate px-2 first:pl-3.5';

const IssueRow = memo(function IssueRow(props: RowProps) {
  const { issue, showBuilding } = props;
  return (
    <Line {...props} height={ROW_HEIGHT}>
      <td className={cx(cell, 'text-xs tabular-nums')}>
        <Reference issue={issue} />
      </td>
      <td className={cell}>
        <TitleLink {...props} className="block truncate" />
      </td>
      {showBuilding && <td className={cell}>{issue.buildingName}</td>}
      <td className={cell}>
        <PriorityMark priority={issue.priority} />
      </td>
      <td className={cell}>
        <StatusBadge status={issue.status} />
      </td>
      <td className={cell}>
        <time dateTime={issue.createdAt}>{formatDate(issue.createdAt)}</time>
      </td>
      <td className={cell}>
        {issue.resolvedAt !== null && <time dateTime={issue.resolvedAt}>{formatDate(issue.resolvedAt)}</time>}
      </td>
      <td className={cell}>{reporterOf(issue)}</td>
      <td className={cell}>{issue.assignedToName}</td>
      <td className={cell}>
        <SlaBadge issue={issue} wraps />
      </td>
    </Line>
  );
});

const PairedRow = memo(function PairedRow(props: RowProps) {
  const { issue, showBuilding } = props;
  return (
    <Line {...props} height={TWO_LINE_HEIGHT}>
      <td className={cx(cell, 'py-2')}>
        <TitleLink {...props} className="line-clamp-3 whitespace-normal" />
        <span className="mt-0.5 flex gap-1 text-xs">
          <span className="flex-none tabular-nums">
            <Reference issue={issue} />
          </span>
          {showBuilding && <span className="truncate">· {issue.buildingName}</span>}
        </span>
      </td>
      <td className={cell}>
        <Second first={<PriorityMark priority={issue.priority} />}>
          <SlaBadge issue={issue} wraps />
        </Second>
      </td>
      <td className={cell}>
        <Second first={<StatusBadge status={issue.status} />}>{issue.assignedToName}</Second>
      </td>
      <td className={cell}>
        <Second first={<time dateTime={issue.createdAt}>{formatDate(issue.createdAt)}</time>}>
          {reporterOf(issue)}
        </Second>
      </td>
    </Line>
  );
});

function Second({ first, children }: { first: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="block">{first}</span>
      <span className="mt-0.5 block truncate text-xs">{children}</span>
    </>
  );
}

function Line({
  issue,
  index,
  height,
  measure,
  children,
}: RowProps & { height: number; children: ReactNode }) {
  const changedBy = useChangedBy(issue);
  return (
    <tr
      // Single-line rows have a fixed height and need no measuring.
      ref={height === TWO_LINE_HEIGHT ? measure : undefined}
      data-index={index}
      aria-rowindex={index + 2}
      data-card={issue.id}
      title={changedBy}
      style={{ height }}
      className={cx(
        'relative border-line border-b text-ink-2 text-sm last:border-b-0 hover:bg-mute has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2',
        changedBy !== undefined && 'bg-brand-soft',
      )}
    >
      {children}
    </tr>
  );
}

function Reference({ issue }: { issue: Issue }) {
  const pending = usePending('issue', issue.id);
  return (
    <span className="inline-flex items-center gap-1.5">
      {issue.referenceNumber}
      {pending && <PendingDot />}
    </span>
  );
}

function TitleLink({ issue, hrefOf, className }: RowProps & { className: string }) {
  return (
    <Link
      to={hrefOf(issue.id)}
      state={{ opened: true }}
      className={cx('font-medium text-base text-ink outline-none after:absolute after:inset-0', className)}
    >
      {issue.title}
    </Link>
  );
}
