import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Issue, IssueCounts, IssueFilter } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveList } from '../../../live/hooks/use-live-list.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import type { IssueCardProps } from '../issue-card.tsx';
import { issueList } from '../issues.live.ts';
import { countOf } from '../list/count-text.ts';
import { PrintableIssues } from '../list/printable-issues.tsx';
import { BoardColumn, type ColumnHandle } from './board-column.tsx';
import { findCard, neighbour, stepFrom } from './board-keys.ts';
import { type BoardColumns, sameColumns } from './freeze-board.ts';
import { SlideCards } from './slide-cards.tsx';
import { useFrozenBoard } from './use-frozen-board.ts';

type Props = Pick<IssueCardProps, 'showBuilding' | 'hrefOf' | 'onMove'> & {
  filter: IssueFilter;
  /** The columns to show: all four, or those of the status filter. */
  statuses: readonly IssueStatus[];
  counts: IssueCounts | undefined;
  mine: boolean;
};

/** A card that takes the focus once it is rendered. Expires, so that a refused move does not take the focus later. */
type Wanted = { id: string; status: IssueStatus; until: number } | undefined;
const WANTED_MS = 1_000;

/**
 * Board with a column for each status. Cards are moved by dragging, by key or by menu; arrow keys move the focus
 * between cards.
 */
export function IssueBoard({ filter, statuses, counts, mine, showBuilding, hrefOf, onMove }: Props) {
  const lists = {
    open: useColumn(filter, 'open', statuses),
    in_progress: useColumn(filter, 'in_progress', statuses),
    resolved: useColumn(filter, 'resolved', statuses),
    closed: useColumn(filter, 'closed', statuses),
  };
  const live = useSteady({
    open: lists.open.rows,
    in_progress: lists.in_progress.rows,
    resolved: lists.resolved.rows,
    closed: lists.closed.rows,
  });
  const { columns, waiting, handlers } = useFrozenBoard(live);
  const [active, setActive] = useState<string>();
  const activeId =
    active !== undefined && findCard(columns, statuses, active) ? active : firstOf(columns, statuses);
  const handles = useRef<Partial<Record<IssueStatus, ColumnHandle | null>>>({});
  const root = useRef<HTMLElement>(null);
  const wanted = useRef<Wanted>(undefined);
  const navigate = useNavigate();

  const move = useCallback(
    (issue: Issue, to: IssueStatus) => {
      if (onMove === undefined || issue.status === to) return;
      onMove(issue, to);
    },
    [onMove],
  );
  const onDropCard = useCallback(
    (id: string, to: IssueStatus) => {
      const place = findCard(columns, statuses, id);
      const issue = place && columns[place.status][place.index];
      if (issue !== undefined) move(issue, to);
    },
    [columns, statuses, move],
  );

  // Focuses a card that was moved by key, or scrolled to, once it is rendered at its new place.
  useLayoutEffect(() => {
    const { current } = wanted;
    if (current === undefined) return;
    if (performance.now() > current.until || focusCard(root.current, current)) wanted.current = undefined;
    else reveal(current);
  });

  function reveal({ id, status }: { id: string; status: IssueStatus }) {
    const index = columns[status].findIndex((row) => row.id === id);
    if (index >= 0) handles.current[status]?.reveal(index);
  }

  function focusAt(id: string, status: IssueStatus) {
    const target = { id, status, until: performance.now() + WANTED_MS };
    if (focusCard(root.current, target)) return;
    wanted.current = target;
    reveal(target);
    requestAnimationFrame(() => pursue(target));
  }

  /** Retries on each frame: scrolling renders the card within a frame or two, without rendering this component. */
  function pursue(target: NonNullable<Wanted>) {
    if (wanted.current !== target) return;
    if (performance.now() > target.until || focusCard(root.current, target)) wanted.current = undefined;
    else requestAnimationFrame(() => pursue(target));
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLAnchorElement))
      return;
    const card = event.target.closest<HTMLElement>('[data-card]');
    const place =
      card?.dataset.card === undefined ? undefined : findCard(columns, statuses, card.dataset.card);
    const issue = place && columns[place.status][place.index];
    if (card === null || place === undefined || issue === undefined) return;
    if (event.shiftKey) {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined;
      const to = step && neighbour(ISSUE_STATUSES, issue.status, step);
      if (to === undefined || onMove === undefined) return;
      event.preventDefault();
      wanted.current = { id: issue.id, status: to, until: performance.now() + WANTED_MS };
      move(issue, to);
    } else if (event.key === 'm') {
      event.preventDefault();
      card.querySelector<HTMLButtonElement>('button[aria-haspopup="menu"]')?.click();
    } else if (event.key === 'e') {
      event.preventDefault();
      void navigate(hrefOf(issue.id), { state: { opened: true, edit: true } });
    } else {
      const next = stepFrom(columns, statuses, place, event.key);
      const target = next && columns[next.status][next.index];
      if (next === undefined || target === undefined) return;
      event.preventDefault();
      setActive(target.id);
      focusAt(target.id, next.status);
    }
  }

  const failed = ISSUE_STATUSES.find((status) => lists[status].status === 'error');
  if (failed !== undefined) {
    const retry = () => {
      for (const status of statuses) lists[status].refetch();
    };
    return (
      <ErrorState
        title={messageFor(lists[failed].error, messages.issues.fetchFailed)}
        error={lists[failed].error}
        onRetry={retry}
      />
    );
  }

  const shown = statuses.map((status) => lists[status]);
  const more = shown.filter(({ hasMore }) => hasMore);
  return (
    <PrintableIssues
      {...{ filter, mine, showBuilding }}
      rows={shown.flatMap(({ rows }) => rows)}
      total={counts?.leastOf.length === 0 ? counts.matching : undefined}
      hasMore={more.length > 0}
      isLoadingMore={more.some(({ isLoadingMore }) => isLoadingMore)}
      loadMore={() => {
        for (const { loadMore } of more) loadMore();
      }}
    >
      <section
        ref={root}
        aria-label="Board"
        className="flex min-h-0 flex-1 flex-col"
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const id = event.target.closest<HTMLElement>('[data-card]')?.dataset.card;
          if (id !== undefined) setActive(id);
        }}
        {...handlers}
      >
        <SlideCards
          order={columns}
          still={statuses.some((status) => lists[status].status === 'loading')}
          className="-mx-[7px] grid min-h-0 flex-1 auto-cols-[minmax(216px,1fr)] grid-flow-col gap-0 overflow-x-auto"
        >
          {statuses.map((status) => (
            <BoardColumn
              key={status}
              ref={(handle) => {
                handles.current[status] = handle;
              }}
              status={status}
              rows={columns[status]}
              count={counts && countOf(counts, status)}
              waiting={waiting[status]}
              loading={lists[status].status === 'loading'}
              activeId={activeId}
              showBuilding={showBuilding}
              hrefOf={hrefOf}
              hasMore={lists[status].hasMore}
              isLoadingMore={lists[status].isLoadingMore}
              loadMore={lists[status].loadMore}
              onMove={onMove && move}
              onDropCard={onDropCard}
            />
          ))}
        </SlideCards>
      </section>
    </PrintableIssues>
  );
}

function useColumn(filter: IssueFilter, status: IssueStatus, shown: readonly IssueStatus[]) {
  const narrowed = useMemo(() => ({ ...filter, statuses: [status] }), [filter, status]);
  return useLiveList(issueList, narrowed, { enabled: shown.includes(status) });
}

/** Returns the previous object as long as it contains the same rows. */
function useSteady(columns: BoardColumns): BoardColumns {
  const [steady, setSteady] = useState(columns);
  if (sameColumns(steady, columns)) return steady;
  setSteady(columns);
  return columns;
}

function firstOf(columns: BoardColumns, statuses: readonly IssueStatus[]): string | undefined {
  for (const status of statuses) {
    const first = columns[status][0];
    if (first !== undefined) return first.id;
  }
  return undefined;
}

function focusCard(root: HTMLElement | null, { id, status }: { id: string; status: IssueStatus }): boolean {
  const link = root?.querySelector<HTMLElement>(
    `[data-column="${status}"] [data-card="${CSS.escape(id)}"] a`,
  );
  link?.focus();
  return link !== null && link !== undefined;
}
