import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type MoreRows, useLoadMore } from './use-load-more.ts';

/** The height of a table row on a wide screen, px. */
export const ROW_HEIGHT = 44;

/** The height of a row with a second line, for tables with less room, px. */
export const TWO_LINE_HEIGHT = 60;

type Options = MoreRows & {
  rows: readonly { id: string }[];
  rowHeight?: number;
};

/** The visible rows of a long table, and the heights above and below them; loads more near the end. */
export function useTableWindow({ rows, rowHeight = ROW_HEIGHT, ...more }: Options) {
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // The top is measured after each render, because content above the table may appear and disappear.
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0));
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  });
  // Rows have another height after a device is turned.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured sizes depend on the row height
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...more, lastShown: items.at(-1)?.index ?? -1, loaded: rows.length });
  return {
    root,
    items,
    /** For rows that may be higher than estimated; they have their index in `data-index`. */
    measure: virtualizer.measureElement,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
