import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import {
  IMPORT_SKIP_LABELS,
  type ImportCheck,
  type ImportRow,
} from '#shared/features/imports/imports.vocabulary.ts';
import { cx } from '../../ui/cx.ts';

const ROW_HEIGHT = 40;

/** Table of all rows of the file: rows with faults first, then rows with a note, and last rows that are not stored. */
export function ImportRows({ check }: { check: ImportCheck }) {
  const root = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => check.rows.toSorted((a, b) => rankOf(a) - rankOf(b)), [check]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    getScrollElement: () => root.current,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={root}
      aria-label="Rows of the file"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="max-h-[60vh] overflow-auto rounded-card border border-line bg-surface"
    >
      <table aria-rowcount={rows.length + 1} className="w-full min-w-max text-left">
        <thead>
          <tr className="sticky top-0 z-10 h-9 bg-surface text-ink-2 text-xs shadow-[inset_0_-1px_0_var(--color-line)]">
            <th scope="col" className="px-3 font-medium">
              Line
            </th>
            <th scope="col" className="px-3 font-medium">
              {check.faulty > 0 ? 'Fault' : 'Result'}
            </th>
            {check.columns.map((column) => (
              <th key={column} scope="col" className="px-3 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const faults = new Map(row.faults.map(({ column, text }) => [column, text]));
            return (
              <tr
                key={row.line}
                ref={virtualizer.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                className="border-line border-b text-ink-2 text-sm"
              >
                <td className="px-3 py-2 align-top tabular-nums">{row.line}</td>
                <td className={cx('min-w-56 max-w-sm px-3 py-2 align-top', faults.size > 0 && 'text-bad')}>
                  {row.faults.map(({ column, text }) => (
                    <p key={column ?? ''}>
                      {column !== null && <b className="font-medium">{column}: </b>}
                      {text}
                    </p>
                  ))}
                  {row.faults.length === 0 && (row.skip === null ? row.note : IMPORT_SKIP_LABELS[row.skip])}
                </td>
                {check.columns.map((column, index) => (
                  <td
                    key={column}
                    className={cx(
                      'max-w-60 truncate px-3 py-2 align-top',
                      faults.has(column) && 'bg-bad-soft text-bad',
                    )}
                    title={row.cells[index]}
                  >
                    {row.cells[index]}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </section>
  );
}

function rankOf({ faults, note, skip }: ImportRow): number {
  if (faults.length > 0) return 0;
  if (skip !== null) return 3;
  return note === null ? 2 : 1;
}
