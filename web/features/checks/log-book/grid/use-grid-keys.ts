import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { nextGridPosition } from './next-grid-position.ts';

type Options = {
  /** Ids of the rows, in order. */
  ids: readonly string[];
  /** Number of columns: the row's name and its squares. */
  columns: number;
  onOpen: (rowId: string, column: number) => void;
};

/**
 * Keyboard navigation of a virtualised grid: one tab stop, arrow keys from there. Focusable elements carry `data-row`
 * (the row's id) and `data-column`.
 */
export function useGridKeys({ ids, columns, onOpen }: Options) {
  const root = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ id: string; column: number }>();
  /** The focus moves once the target has been rendered. */
  const moved = useRef(false);
  // When the row of the tab stop disappears, the first row takes over.
  const row = Math.max(0, place === undefined ? 0 : ids.indexOf(place.id));
  const column = place !== undefined && ids[row] === place.id ? Math.min(place.column, columns - 1) : 0;

  useLayoutEffect(() => {
    if (!moved.current) return;
    const target = root.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(ids[row] ?? '')}"][data-column="${column}"]`,
    );
    if (target == null) return;
    moved.current = false;
    target.focus();
  });

  function onKeyDown(event: KeyboardEvent): void {
    const from = gridPositionOf(event.target);
    if (from === undefined || event.altKey || event.metaKey) return;
    // Column 0 contains a link, which handles Enter itself.
    if ((event.key === 'Enter' || event.key === ' ') && from.column > 0) {
      event.preventDefault();
      onOpen(from.id, from.column);
      return;
    }
    const next = nextGridPosition({ row: ids.indexOf(from.id), column: from.column }, event, {
      rows: ids.length,
      columns,
    });
    const id = next && ids[next.row];
    if (next === undefined || id === undefined) return;
    event.preventDefault();
    moved.current = true;
    setPlace({ id, column: next.column });
  }

  /** A click moves the tab stop, so that the keyboard continues from there. */
  function onFocus(event: FocusEvent): void {
    const at = gridPositionOf(event.target);
    if (at !== undefined && (at.id !== place?.id || at.column !== place.column)) setPlace(at);
  }

  return { root, row, column, onKeyDown, onFocus };
}

/** Returns the grid position that contains an element; undefined outside the cells. */
export function gridPositionOf(target: EventTarget): { id: string; column: number } | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const { row: id, column } = cell?.dataset ?? {};
  return id === undefined || column === undefined ? undefined : { id, column: Number(column) };
}
