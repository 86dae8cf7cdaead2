import { memo } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '../../../../ui/cx.ts';
import { CellMark } from './cell-mark.tsx';
import { CELL_ARIA_LABELS, type CellDisplayState, describeYear, passRate } from './grid-labels.ts';

export type GridRow = { id: string; name: string; cells: readonly CellDisplayState[] };
type Props = {
  row: GridRow;
  starts: readonly string[];
  names: readonly string[];
  /** First day of the current period. */
  current: string | undefined;
  href: string;
  wide: boolean;
  /** The column with the tab stop, if it is in this row. */
  stop: number | undefined;
};

/** One row of a year's grid: name, a square for each period, and the pass rate. */
export const YearRow = memo(function YearRow({ row, starts, names, current, href, wide, stop }: Props) {
  const rate = passRate(row.cells);
  return (
    <div
      className={cx(
        'grid h-full items-center gap-x-3.5 gap-y-1.5',
        wide
          ? 'grid-cols-[9.5rem_minmax(0,1fr)_3rem] lg:grid-cols-[12rem_minmax(0,1fr)_3rem]'
          : 'relative grid-cols-[minmax(0,1fr)_auto] content-center',
      )}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: not part of a table, see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the link inside takes the focus */}
      <div role="rowheader" aria-colindex={1} className="grid min-w-0">
        <Link
          to={href}
          title={row.name}
          data-row={row.id}
          data-column={0}
          tabIndex={stop === 0 ? 0 : -1}
          className={cx(
            'min-w-0 scroll-mt-20 scroll-mb-4 truncate rounded-[3px] font-medium hover:text-brand hover:underline',
            !wide && 'after:absolute after:inset-0 after:z-[1]',
          )}
        >
          {row.name}
          <span className="sr-only">: {describeYear(row.cells)}</span>
        </Link>
      </div>
      <div
        className={cx('grid', wide ? 'gap-[3px]' : 'order-last col-span-2 gap-px')}
        style={{ gridTemplateColumns: `repeat(${starts.length}, minmax(0, 1fr))` }}
      >
        {starts.map((start, index) => {
          const state = row.cells[index] ?? 'ahead';
          const name = names[index] ?? start;
          return (
            // biome-ignore lint/a11y/useSemanticElements: not part of a table, see the grid
            <span
              key={start}
              role="gridcell"
              aria-colindex={index + 2}
              aria-label={`${name}: ${CELL_ARIA_LABELS[state]}`}
              aria-current={start === current ? 'date' : undefined}
              data-row={row.id}
              data-column={index + 1}
              tabIndex={stop === index + 1 ? 0 : -1}
              title={wide ? `${name}: ${CELL_ARIA_LABELS[state]}` : undefined}
              className={cx(
                'scroll-mt-20 scroll-mb-4 rounded-[3px]',
                wide && 'cursor-pointer hover:outline-2 hover:outline-ink-3',
                start === current && 'not-focus-visible:outline-[1.5px] outline-brand outline-offset-1',
                'focus-visible:outline-2 focus-visible:outline-ink focus-visible:outline-offset-1',
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
