import { useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUS_LABELS, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { cx } from '../../../ui/cx.ts';
import { type MoreRows, useLoadMore } from '../../../ui/lists/use-load-more.ts';
import { CARD_TYPE, IssueCard, type IssueCardProps } from '../issue-card.tsx';
import { IssueSkeletons } from '../list/issue-skeletons.tsx';
import { StatusIcon } from '../status-mark.tsx';

/** Scrolls to a card of the virtualised column, so that it is rendered and can take the focus. */
export type ColumnHandle = { reveal: (index: number) => void };

type Props = MoreRows &
  Pick<IssueCardProps, 'showBuilding' | 'hrefOf' | 'onMove'> & {
    ref: Ref<ColumnHandle>;
    status: IssueStatus;
    rows: readonly Issue[];
    count: string | undefined;
    /** Number of other people's changes held back until the pointer leaves the board. */
    waiting: number;
    loading: boolean;
    activeId: string | undefined;
    onDropCard: (id: string, to: IssueStatus) => void;
  };

const CARD_HEIGHT = 112;
const GAP = 9;

/** Column of one status with a virtualised list of its cards. */
export function BoardColumn(props: Props) {
  const { ref, status, rows, count, waiting, loading, activeId, onMove, onDropCard } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState(false);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 4,
    gap: GAP,
  });
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...props, lastShown: items.at(-1)?.index ?? -1, loaded: rows.length });
  useImperativeHandle(ref, () => ({ reveal: (index) => virtualizer.scrollToIndex(index) }), [virtualizer]);

  function onDragOver(event: DragEvent) {
    if (onMove === undefined || !event.dataTransfer.types.includes(CARD_TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setTarget(true);
  }
  function onDragLeave(event: DragEvent) {
    const into = event.relatedTarget;
    if (!(into instanceof Node) || !event.currentTarget.contains(into)) setTarget(false);
  }
  function onDrop(event: DragEvent) {
    setTarget(false);
    const id = event.dataTransfer.getData(CARD_TYPE);
    if (id === '') return;
    event.preventDefault();
    onDropCard(id, status);
  }

  const name = ISSUE_STATUS_LABELS[status];
  return (
    <section
      aria-label={name}
      data-column={status}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
      className={cx(
        'flex min-h-0 min-w-0 flex-col rounded-panel pt-1.5',
        target && 'bg-brand-soft outline-2 outline-brand -outline-offset-2',
      )}
    >
      <h2 className="mx-[9px] mb-2.5 flex items-center gap-2 font-semibold text-sm">
        <StatusIcon status={status} />
        {name}
        {count !== undefined && <span className="font-medium text-ink-2 tabular-nums">{count}</span>}
        {waiting > 0 && (
          <span
            className="ml-auto font-medium text-brand text-xs"
            title="Shown when the pointer leaves the board"
          >
            {waiting} waiting
          </span>
        )}
      </h2>
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-[7px] pt-[3px] pb-3"
      >
        {loading ? (
          <IssueSkeletons
            count={status === 'open' || status === 'in_progress' ? 2 : 1}
            className="grid gap-[9px]"
          />
        ) : (
          <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {items.map((item) => {
              const issue = rows[item.index];
              return issue === undefined ? null : (
                <div
                  key={item.key}
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <IssueCard
                    issue={issue}
                    look="board"
                    showBuilding={props.showBuilding}
                    hrefOf={props.hrefOf}
                    tabbable={issue.id === activeId}
                    heldIn={status}
                    onMove={onMove}
                  />
                </div>
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}
