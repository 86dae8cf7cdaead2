import { Fragment, type KeyboardEventHandler, type ReactNode } from 'react';
import type { useTableWindow } from './use-table-window.ts';

type Props = {
  /** For screen readers. */
  caption: string;
  /** The number of rows of the whole list, including rows that are not loaded; undefined if it is not known. */
  rowCount: number | undefined;
  tableWindow: Pick<ReturnType<typeof useTableWindow>, 'root' | 'items' | 'before' | 'after'>;
  /** The cells of the head. */
  head: ReactNode;
  headClassName?: string;
  onKeyDown?: KeyboardEventHandler<HTMLTableElement>;
  /** @returns the row at an index, a `tr` with `aria-rowindex`; null if the row no longer exists */
  children: (index: number) => ReactNode;
};

/** A long table that draws only the rows in sight (`useTableWindow`). */
export function WindowTable({
  caption,
  rowCount,
  tableWindow,
  head,
  headClassName,
  onKeyDown,
  children,
}: Props) {
  const { root, items, before, after } = tableWindow;
  return (
    <div ref={root} className="overflow-x-auto rounded-card border border-line bg-surface">
      <table
        aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
        className="w-full table-fixed text-left"
        onKeyDown={onKeyDown}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className={headClassName}>
          <tr className="h-9 border-line border-b text-ink-2 text-xs">{head}</tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ key, index }) => (
            <Fragment key={key}>{children(index)}</Fragment>
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}
