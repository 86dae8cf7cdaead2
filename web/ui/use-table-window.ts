import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type MoreRows, useLoadMore } from './use-load-more.ts';

/** Every line is as high as a row of a table at the desk. */
export const ROW_HEIGHT = 44;

/** And of a table that has less room, and says the rest of a row on a second line. */
export const TWO_LINE_HEIGHT = 60;

type Options = MoreRows & {
  rows: readonly { id: string }[];
  rowHeight?: number;
};

/** Of a long table the rows in sight, and the heights of what is above and below them; asks for more near the end. */
export function useTableWindow({ rows, rowHeight = ROW_HEIGHT, ...more }: Options) {
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // What stands above the table comes and goes.
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0));
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  });
  // A device that is turned has other rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what the measures were made from
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...more, lastShown: items.at(-1)?.index ?? -1, loaded: rows.length });
  return {
    root,
    items,
    /** For rows that may be higher than was thought; they name their place in `data-index`. */
    measure: virtualizer.measureElement,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
