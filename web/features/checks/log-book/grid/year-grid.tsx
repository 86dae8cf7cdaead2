import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { usePrinting } from '../../../../ui/lists/use-printing.ts';
import { useMedia } from '../../../../ui/use-media.ts';
import { monthLabels } from './grid-labels.ts';
import { gridPositionOf, useGridKeys } from './use-grid-keys.ts';
import { type GridRow, YearRow } from './year-row.tsx';

type Props = {
  /** Header of the rows: "Site". */
  of: string;
  rows: readonly GridRow[];
  /** First day of each period, in order. */
  starts: readonly string[];
  /** Name of each period, in the same order. */
  names: readonly string[];
  /** First day of the current period, if it is among them. */
  current: string | undefined;
  hrefOf: (row: GridRow) => string;
  onCell: (row: GridRow, start: string) => void;
};

const WIDE_ROW = 26;
const NARROW_ROW = 56;

/** Year at a glance: a row for each site, a square for each period. Only visible rows are rendered. */
export function YearGrid({ of, rows, starts, names, current, hrefOf, onCell }: Props) {
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const {
    root,
    row: stopRow,
    column,
    onKeyDown,
    onFocus,
  } = useGridKeys({
    ids,
    columns: starts.length + 1,
    onOpen: open,
  });
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0));
  const wide = useMedia('(min-width: 768px)');
  const printing = usePrinting();
  const height = wide ? WIDE_ROW : NARROW_ROW;
  // The row with the tab stop is always rendered: otherwise scrolling it away would drop the focus and leave the grid
  // without a tab stop.
  const drawn = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), stopRow])].sort((a, b) => a - b),
    [stopRow],
  );
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: printing ? rows.length : 10,
    rangeExtractor: drawn,
  });
  // Cached row heights are invalid once the height changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height changes
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer]);
  const marks = useMemo(() => monthLabels(starts), [starts]);
  const columns = { gridTemplateColumns: `repeat(${starts.length}, minmax(0, 1fr))` };

  function open(id: string, at: number): void {
    const row = rows.find((each) => each.id === id);
    const start = starts[at - 1];
    if (row !== undefined && start !== undefined) onCell(row, start);
  }
  function onClick(event: MouseEvent): void {
    const at = gridPositionOf(event.target);
    if (at !== undefined && at.column > 0) open(at.id, at.column);
  }

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
      {/* biome-ignore lint/a11y/useSemanticElements: only visible rows are rendered, positioned absolutely */}
      <div
        ref={root}
        role="grid"
        aria-label={`The year, ${of.toLowerCase()} by ${of.toLowerCase()}`}
        aria-rowcount={rows.length}
        aria-colcount={starts.length + 1}
        aria-readonly
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            // biome-ignore lint/a11y/useSemanticElements: as the grid; its cells take the focus
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 1}
              className="absolute inset-x-0"
              style={{ height, transform: `translateY(${item.start - top}px)` }}
            >
              <YearRow
                row={row}
                starts={starts}
                names={names}
                current={current}
                href={hrefOf(row)}
                wide={wide}
                stop={item.index === stopRow ? column : undefined}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
