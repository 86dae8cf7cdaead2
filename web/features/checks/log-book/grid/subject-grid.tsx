import { X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { cx } from '../../../../ui/cx.ts';
import { CellMark } from './cell-mark.tsx';
import { CELL_LABELS, type CellDisplayState } from './grid-labels.ts';
import type { SubjectRow } from './subject-rows.ts';

export type GridColumn = {
  start: string;
  /** Column header: "Jan", or the number of a week. */
  label: string;
  /** Full name, as tooltip and for screen readers: "January 2026". */
  name: string;
  current: boolean;
};
type Props = {
  caption: string;
  /** Header of the rows: "Outlet". */
  of: string;
  columns: readonly GridColumn[];
  rows: readonly SubjectRow[];
  /** Weeks: many narrow columns of plain squares. Otherwise months, whose cells contain text. */
  dense: boolean;
  hrefOfEntry: (id: string) => string;
  /** Link of a row's name, if any. */
  hrefOfSubject?: ((assetId: string) => string) | undefined;
};

/** Grid of a site's year: a row for each subject, a column for each period. Each square links to its record. */
export function SubjectGrid({ caption, of, columns, rows, dense, hrefOfEntry, hrefOfSubject }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // Scrolls to the current period where the year does not fit.
  useLayoutEffect(() => {
    const now = box.current?.querySelector<HTMLElement>('[data-now]');
    if (box.current === null || now == null) return;
    box.current.scrollLeft = now.offsetLeft + now.offsetWidth * 2 - box.current.clientWidth;
  }, []);
  return (
    <div
      ref={box}
      className="relative overflow-x-auto rounded-card border border-line bg-surface print:overflow-visible print:border-0"
    >
      <table
        className={cx(
          'w-full table-fixed border-separate border-spacing-0 text-left text-sm',
          dense ? 'min-w-[76rem]' : 'min-w-[60rem]',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-ink-3 text-xs">
            <th scope="col" className={cx(stickyCell, 'border-line border-b py-2.5 pl-4 font-medium')}>
              {of}
            </th>
            {columns.map((column) => (
              <th
                key={column.start}
                data-now={column.current || undefined}
                scope="col"
                title={column.name}
                className={cx(
                  'border-line border-b px-0.5 py-2.5 text-center font-medium tabular-nums',
                  column.current && 'text-brand',
                )}
              >
                <span aria-hidden>{column.label}</span>
                <span className="sr-only">{column.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="group">
              <th
                scope="row"
                className={cx(
                  stickyCell,
                  'border-line border-b py-1.5 pl-4 font-normal group-last:border-b-0',
                )}
              >
                <span
                  className="line-clamp-3 font-medium text-ink [overflow-wrap:anywhere] sm:line-clamp-1"
                  title={row.name}
                >
                  {hrefOfSubject === undefined || row.assetId === null ? (
                    row.name
                  ) : (
                    <Link to={hrefOfSubject(row.assetId)} className="hover:text-brand hover:underline">
                      {row.name}
                    </Link>
                  )}
                </span>
                <span className="block text-ink-3 text-xs [overflow-wrap:anywhere] sm:truncate">
                  {row.place}
                  {row.retired && `${row.place === null ? '' : ' · '}${logMessages.retired}`}
                </span>
              </th>
              {columns.map((column, index) => {
                const cell = row.cells[index];
                return (
                  <td
                    key={column.start}
                    className={cx(
                      'border-line border-b px-0.5 text-center group-last:border-b-0',
                      column.current && 'bg-brand-soft/40',
                    )}
                  >
                    {cell === undefined || cell.entryId === null ? (
                      <Square cell={cell} dense={dense} title={column.name} />
                    ) : (
                      <Link
                        to={hrefOfEntry(cell.entryId)}
                        title={`${column.name}: ${cell.words}`}
                        className="mx-auto block rounded-[4px] hover:outline-2 hover:outline-ink-3 pointer-coarse:py-2.5"
                      >
                        <Square cell={cell} dense={dense} />
                      </Link>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const stickyCell = 'sticky left-0 z-[1] w-56 bg-surface pr-3 max-sm:w-36 print:static';

type SquareProps = { cell: SubjectRow['cells'][number] | undefined; dense: boolean; title?: string };

const softLooks: Record<CellDisplayState, string> = {
  pass: 'bg-ok-soft text-ok',
  fail: 'bg-bad-soft text-bad',
  not_tested: 'bg-due-soft text-due',
  begun: 'bg-mark-ahead/60 text-ok',
  partial: 'bg-due-soft text-due',
  explained: 'bg-due-soft/60 text-due',
  ahead: 'bg-mark-ahead/60',
  off: '',
};

function Square({ cell, dense, title }: SquareProps) {
  const state = cell?.state ?? 'ahead';
  const words = <span className="sr-only">{cell?.words ?? CELL_LABELS[state]}</span>;
  if (dense) {
    return (
      <span title={title} className="block">
        <CellMark state={state} className="h-[18px]" />
        {words}
      </span>
    );
  }
  return (
    <span
      title={title}
      className={cx(
        'mx-auto flex h-7 w-full max-w-[4.5rem] items-center justify-center gap-1 rounded-[5px] font-semibold tabular-nums',
        softLooks[state],
      )}
    >
      {/* A cross beside a failed reading, so that it is not shown by colour alone. */}
      {state === 'fail' && <X size={12} strokeWidth={2.5} aria-hidden />}
      <span aria-hidden>{cell?.text ?? (state === 'not_tested' || state === 'explained' ? '–' : '')}</span>
      {words}
    </span>
  );
}
