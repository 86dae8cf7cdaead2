import { MoveRight } from 'lucide-react';
import { type DragEvent, memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '#shared/dates.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUS_LABELS, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { cx } from '../../ui/cx.ts';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { IssuePresence } from './details/issue-presence.tsx';
import { reporterOf } from './details/reporter-of.ts';
import { useChangedBy } from './details/use-changed-by.ts';
import { MoveMenu } from './move-menu.tsx';
import { PriorityMark } from './priority-mark.tsx';
import { SlaBadge } from './sla-badge.tsx';
import { StatusBadge } from './status-mark.tsx';

export type IssueCardProps = {
  issue: Issue;
  /** `board` is compact and omits the status, which the column shows. */
  look: 'board' | 'card';
  /** Shows the status on a compact card outside a column. */
  showStatus?: boolean;
  showBuilding: boolean;
  /** Returns the link to an issue's details. */
  hrefOf: (id: string) => string;
  /** On the board only one card is a tab stop; arrow keys reach the others. */
  tabbable?: boolean;
  /** The column in which the card is still shown while its move is held back. */
  heldIn?: IssueStatus;
  onMove?: ((issue: Issue, to: IssueStatus) => void) | undefined;
};

/** Data type of a dragged card. */
export const CARD_TYPE = 'application/x-card';

/** Card of one issue, for the board and for lists of cards. */
export const IssueCard = memo(function IssueCard(props: IssueCardProps) {
  const { issue, look, showStatus = false, showBuilding, hrefOf, tabbable = true, heldIn, onMove } = props;
  const pending = usePending('issue', issue.id);
  const changedBy = useChangedBy(issue);
  const onBoard = look === 'board';
  const moved = heldIn !== undefined && heldIn !== issue.status;

  function onDragStart(event: DragEvent) {
    event.dataTransfer.setData(CARD_TYPE, issue.id);
    event.dataTransfer.setData('text/plain', `${issue.referenceNumber} ${issue.title}`);
    event.dataTransfer.effectAllowed = 'move';
  }

  return (
    <article
      data-card={issue.id}
      draggable={onMove !== undefined && onBoard}
      onDragStart={onMove === undefined ? undefined : onDragStart}
      title={changedBy}
      className={cx(
        'group relative flex flex-col rounded-card border border-line bg-surface px-[13px] py-3 transition-[border-color,box-shadow] has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand hover:border-line-2',
        changedBy !== undefined && 'glow',
        onMove !== undefined && onBoard && 'cursor-grab active:cursor-grabbing',
        moved && 'opacity-60',
        onBoard ? 'pointer-coarse:px-4' : 'h-full pointer-coarse:px-4 pointer-coarse:py-4',
      )}
    >
      <div className="mb-[3px] flex flex-wrap items-center gap-x-1.5 text-ink-3 text-xs tabular-nums">
        <span className="whitespace-nowrap">{issue.referenceNumber}</span>
        {pending && <PendingDot />}
        {moved && <span className="font-medium text-ink-2">Now {ISSUE_STATUS_LABELS[issue.status]}</span>}
        <span className="ml-auto" />
        {onBoard && issue.assignedToName !== null && (
          <span
            className={cx('truncate', onMove !== undefined && 'group-hover:invisible pointer-coarse:mr-10')}
            title={`Assigned to ${issue.assignedToName}`}
          >
            {issue.assignedToName}
          </span>
        )}
        {!onBoard && <StatusBadge status={issue.status} />}
      </div>
      <Link
        to={hrefOf(issue.id)}
        state={{ opened: true }}
        draggable={false}
        tabIndex={tabbable ? 0 : -1}
        className={cx(
          'font-medium text-ink leading-[1.35] outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-card pointer-coarse:text-md',
          // Leaves room for the move button, which is always visible on touch devices.
          onMove !== undefined && onBoard && 'pointer-coarse:pr-9',
        )}
      >
        {issue.title}
        {onBoard && <span className="sr-only">, {ISSUE_STATUS_LABELS[issue.status]}</span>}
      </Link>
      {issue.description !== '' && (
        <p className="mt-[3px] line-clamp-2 text-ink-2 text-sm [overflow-wrap:anywhere]">
          {issue.description}
        </p>
      )}
      <div className="mt-[9px] flex flex-wrap items-center gap-x-2 gap-y-0.5 text-ink-3 text-xs">
        {onBoard && showStatus && <StatusBadge status={issue.status} />}
        <PriorityMark priority={issue.priority} />
        {showBuilding && (
          <span className="min-w-0 flex-1 basis-16 truncate" title={issue.buildingName}>
            {issue.buildingName}
          </span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <IssuePresence id={issue.id} />
          <SlaBadge issue={issue} />
        </span>
      </div>
      {!onBoard && <Particulars issue={issue} />}
      {onBoard && onMove !== undefined && (
        <span className="absolute top-1.5 right-1.5 opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <MoveMenu issue={issue} onMove={onMove} icon={<MoveRight size={15} aria-hidden />} />
        </span>
      )}
    </article>
  );
});

/** Dates and people in two columns, which line up between cards whichever values are present. */
function Particulars({ issue }: { issue: Issue }) {
  return (
    <dl className="mt-auto grid grid-cols-2 gap-x-3 gap-y-1 pt-2.5 text-xs">
      <Particular name="Created">
        <time dateTime={issue.createdAt}>{formatDate(issue.createdAt)}</time>
      </Particular>
      {issue.resolvedAt === null ? (
        <div />
      ) : (
        <Particular name="Resolved">
          <time dateTime={issue.resolvedAt}>{formatDate(issue.resolvedAt)}</time>
        </Particular>
      )}
      <Particular name="Reported by">{reporterOf(issue, 'Not known')}</Particular>
      <Particular name="Assigned to">{issue.assignedToName ?? 'no one'}</Particular>
    </dl>
  );
}

function Particular({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 truncate">
      <dt className="inline text-ink-3">{name} </dt>
      <dd className="inline text-ink-2">{children}</dd>
    </div>
  );
}
