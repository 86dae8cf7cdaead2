import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { useMouseWithin } from '../../../ui/use-mouse-within.ts';
import { useMe } from '../../session/session-context.ts';
import { ownChanges } from '../own-changes.ts';
import { type BoardColumns, freezeColumns } from './freeze-board.ts';

const NOTHING_WAITS: Record<IssueStatus, number> = { open: 0, in_progress: 0, resolved: 0, closed: 0 };

/**
 * Returns the columns to show: the live columns, or the frozen ones while a mouse is over the board or a card is dragged.
 * Not part of `useLiveList`, because a card that another person moves leaves one list and enters another; only all four
 * lists together distinguish a moved card from a new or removed one.
 */
export function useFrozenBoard(live: BoardColumns) {
  const { id: me } = useMe();
  const shown = useRef(live);
  const [over, setOver] = useState(false);
  const [dragging, setDragging] = useState(false);
  const holding = over || dragging;

  const { columns, waiting } = useMemo(
    () =>
      holding
        ? freezeColumns(shown.current, live, { me, changed: ownChanges })
        : { columns: live, waiting: NOTHING_WAITS },
    [holding, live, me],
  );
  useLayoutEffect(() => {
    shown.current = columns;
  }, [columns]);

  const mouse = useMouseWithin({
    onEnter() {
      if (over) return;
      // The person's earlier changes are already shown; from now on other people's changes to the same issues are held
      // back as well.
      ownChanges.clear();
      setOver(true);
    },
    onLeave() {
      ownChanges.clear();
      setOver(false);
      return true;
    },
  });

  return {
    columns,
    waiting,
    handlers: {
      ...mouse,
      onDragStart: () => setDragging(true),
      onDragEnd: () => setDragging(false),
      onDrop: () => setDragging(false),
    },
  };
}
