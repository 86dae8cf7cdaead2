import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '../../../ui/cx.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { CellMark } from './cell-mark.tsx';
import { type CellState, inWords, monthMarks, passRate } from './grid-words.ts';
import { usePrinting } from './use-printing.ts';

export type GridRow = { id: string; name: string; detail?: string | undefined; cells: readonly CellState[] };
type Props = {
  /** What stands in front of each row: "Site". */
  of: string;
  rows: readonly GridRow[];
  /** The first day of each period, in order. */
  starts: readonly string[];
  /** What a period is called when it is pointed at. */
  nameOf: (start: string) => string;
  /** The period that it is now, if it is among them. */
  current: string | undefined;
  hrefOf: (row: GridRow) => string;
  onCell: (row: GridRow, start: string) => void;
};

const WIDE_ROW = 26;
const NARROW_ROW = 56;

/** A year at a glance: a row for each site, a square for each period. Draws only the rows in sight. */
export function YearGrid({ of, rows, starts, nameOf, current, hrefOf, onCell }: Props) {
  const root = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0));
  const wide = useMedia('(min-width: 768px)');
  const printing = usePrinting();
  const height = wide ? WIDE_ROW : NARROW_ROW;
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: printing ? rows.length : 10,
  });
  // Another height of a row is another measure of all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height changes
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer]);
  const marks = useMemo(() => monthMarks(starts), [starts]);
  const columns = { gridTemplateColumns: `repeat(${starts.length}, minmax(0, 1fr))` };

  return (
    <div className="text-ink">
      {wide && (
        <div
          aria-hidden
          className="mb-1 grid grid-cols-[9.5rem_minmax(0,1fr)_3rem] gap-3.5 text-ink-3 text-xs lg:grid-cols-[12rem_minmax(0,1fr)_3rem]"
        >
          <span />
          <div className="grid gap-[3px]" style={columns}>
            {marks.map(({ label, column }) => (
              <span
                key={column}
                style={{ gridColumn: `${column} / span 1` }}
                className="overflow-visible whitespace-nowrap"
              >
                {label}
              </span>
            ))}
          </div>
          <span />
        </div>
      )}
      <ul
        ref={root}
        aria-label={`The year, ${of.toLowerCase()} by ${of.toLowerCase()}`}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li
              key={item.key}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0"
              style={{ height, transform: `translateY(${item.start - top}px)` }}
            >
              <Row
                row={row}
                starts={starts}
                nameOf={nameOf}
                current={current}
                href={hrefOf(row)}
                onCell={onCell}
                wide={wide}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type RowProps = Pick<Props, 'starts' | 'nameOf' | 'current' | 'onCell'> & {
  row: GridRow;
  href: string;
  wide: boolean;
};

const Row = memo(function Row({ row, starts, nameOf, current, href, onCell, wide }: RowProps) {
  const rate = passRate(row.cells);
  function onClick(event: MouseEvent) {
    const index =
      event.target instanceof Element ? event.target.closest('[data-cell]')?.getAttribute('data-cell') : null;
    const start = index == null ? undefined : starts[Number(index)];
    if (start !== undefined) onCell(row, start);
  }
  return (
    <div
      className={cx(
        'grid h-full items-center gap-x-3.5 gap-y-1.5',
        wide
          ? 'grid-cols-[9.5rem_minmax(0,1fr)_3rem] lg:grid-cols-[12rem_minmax(0,1fr)_3rem]'
          : 'relative grid-cols-[minmax(0,1fr)_auto] content-center',
      )}
    >
      <Link
        to={href}
        title={row.name}
        className={cx(
          'min-w-0 truncate rounded-[3px] font-medium hover:text-brand hover:underline',
          !wide && 'after:absolute after:inset-0 after:z-[1]',
        )}
      >
        {row.name}
        <span className="sr-only">: {inWords(row.cells)}</span>
      </Link>
      {/* Each square leads to its period with the pointer; by key, the row's link leads to the table of all of them. */}
      <div
        aria-hidden
        onClick={onClick}
        className={cx('grid', wide ? 'gap-[3px]' : 'order-last col-span-2 gap-px')}
        style={{ gridTemplateColumns: `repeat(${starts.length}, minmax(0, 1fr))` }}
      >
        {starts.map((start, index) => {
          const state = row.cells[index] ?? 'ahead';
          return (
            <span
              key={start}
              data-cell={index}
              title={wide ? nameOf(start) : undefined}
              className={cx(
                wide && 'cursor-pointer rounded-[3px] hover:outline-2 hover:outline-ink-3',
                start === current && 'rounded-[3px] outline-[1.5px] outline-brand outline-offset-1',
              )}
            >
              <CellMark state={state} className={wide ? undefined : 'h-3.5 rounded-[2px] [&_svg]:hidden'} />
            </span>
          );
        })}
      </div>
      <span aria-hidden className="text-right text-ink-2 text-sm tabular-nums">
        {rate === null ? '—' : `${rate}%`}
      </span>
    </div>
  );
});
