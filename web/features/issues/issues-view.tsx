import { Suspense, useEffect } from 'react';
import type { Issue, IssueCounts, IssueFilter } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUS_LABELS, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { onFirstInteraction } from '../../lib/first-interaction.ts';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { IssueBoard } from './board/issue-board.tsx';
import type { IssueCardProps } from './issue-card.tsx';
import { issueList } from './issues.live.ts';
import type { IssueView } from './issues-url.ts';
import { countOf } from './list/count-text.ts';
import { IssueCards } from './list/issue-cards.tsx';
import { IssueSkeletons } from './list/issue-skeletons.tsx';
import { PrintableIssues } from './list/printable-issues.tsx';
import { StatusIcon } from './status-mark.tsx';

const IssueRows = lazyScreen(async () => ({ default: (await import('./list/issue-rows.tsx')).IssueRows }));

type Props = Pick<IssueCardProps, 'showBuilding' | 'hrefOf' | 'onMove'> & {
  view: IssueView;
  filter: IssueFilter;
  statuses: readonly IssueStatus[];
  counts: IssueCounts | undefined;
  /** Only issues that are assigned to this person. */
  mine: boolean;
  /** The column shown on a phone. */
  column: IssueStatus;
  onColumn: (column: IssueStatus) => void;
  onEdit: (issue: Issue) => void;
};

/** The issues as cards, board or list. */
export function IssuesView(props: Props) {
  const wide = useMedia('(min-width: 768px)');
  useEffect(() => onFirstInteraction(IssueRows.preload), []);
  if (props.view !== 'board') return <OneList {...props} filter={props.filter} compact={false} wide={wide} />;
  return wide ? <IssueBoard {...props} /> : <PhoneBoard {...props} />;
}

/** Returns the number of matching issues; undefined if not all are counted. */
function totalOf(counts: IssueCounts | undefined, loaded: number): number | undefined {
  if (counts === undefined) return loaded;
  return counts.leastOf.length === 0 ? counts.matching : undefined;
}

function OneList({ wide, compact, ...props }: Props & { wide: boolean; compact: boolean }) {
  const list = useLiveList(issueList, props.filter);
  if (list.status === 'error') {
    return (
      <ErrorState
        title={messageFor(list.error, messages.issues.fetchFailed)}
        error={list.error}
        onRetry={list.refetch}
      />
    );
  }
  if (list.status === 'loading') return <IssueSkeletons />;
  const total = totalOf(props.counts, list.rows.length);
  const look = compact || props.view === 'list' ? 'board' : 'card';
  return (
    <PrintableIssues {...props} {...list} total={compact ? undefined : total}>
      {props.view === 'list' && wide ? (
        <Suspense fallback={<IssueSkeletons />}>
          <IssueRows {...props} {...list} total={total} />
        </Suspense>
      ) : (
        <IssueCards {...props} {...list} look={look} showStatus={!compact} />
      )}
    </PrintableIssues>
  );
}

/** Board on a phone: one column at a time, selected by status. */
function PhoneBoard(props: Props) {
  const { statuses, counts, onColumn } = props;
  const column = statuses.includes(props.column) ? props.column : (statuses[0] ?? props.column);
  return (
    <>
      <fieldset className="-mx-4 min-w-0 mb-3 flex print:hidden gap-2 overflow-x-auto px-4 pb-1">
        <legend className="sr-only">Column</legend>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={status === column}
            onClick={() => onColumn(status)}
            className={cx(
              'flex h-12 shrink-0 items-center gap-2 rounded-control border px-3.5 font-medium text-md',
              status === column
                ? 'border-brand bg-brand-soft text-brand'
                : 'border-line-2 bg-surface text-ink-2',
            )}
          >
            <StatusIcon status={status} />
            {ISSUE_STATUS_LABELS[status]}
            <span className="tabular-nums">{counts && countOf(counts, status)}</span>
          </button>
        ))}
      </fieldset>
      <PhoneColumn key={column} {...props} status={column} />
    </>
  );
}

function PhoneColumn({ status, ...props }: Props & { status: IssueStatus }) {
  const empty = props.counts?.byStatus[status] === 0;
  if (empty)
    return <p className="py-10 text-center text-ink-2">No issues are {ISSUE_STATUS_LABELS[status]}.</p>;
  return <OneList {...props} filter={{ ...props.filter, statuses: [status] }} compact wide={false} />;
}
