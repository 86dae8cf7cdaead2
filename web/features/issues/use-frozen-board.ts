import { type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { IssueStatus } from '#shared/features/issues.vocabulary.ts';
import { useMe } from '../session/session-context.ts';
import { type BoardColumns, freezeColumns } from './freeze-board.ts';
import { ownChanges } from './own-changes.ts';

const NOTHING_WAITS: Record<IssueStatus, number> = { open: 0, in_progress: 0, resolved: 0, closed: 0 };

/**
 * The columns to show: as they are, or, while a mouse is over the board or a card is dragged, as they were. It stands
 * above the lists and not in `useLiveList`, because a card that another person moves leaves one list and enters
 * another: only all four together tell that from a card that is new or gone.
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

  function point(event: PointerEvent) {
    if (event.pointerType !== 'mouse' || over) return;
    // What was changed before is shown already; from here on others' changes of it wait like any.
    ownChanges.clear();
    setOver(true);
  }

  return {
    columns,
    waiting,
    handlers: {
      onPointerEnter: point,
      onPointerMove: point,
      onPointerLeave: () => {
        ownChanges.clear();
        setOver(false);
      },
      onDragStart: () => setDragging(true),
      onDragEnd: () => setDragging(false),
      onDrop: () => setDragging(false),
    },
  };
}
