import type { ReactNode } from 'react';
import { formatDay } from '#shared/dates.ts';
import { formatNumber } from '#shared/format-number.ts';
import { presentDay } from '../../lib/time/present-time.ts';
import { cx } from '../cx.ts';
import { PRINTED_MAX } from './print-request.ts';

export type PrintedColumn<Row> = {
  name: string;
  of: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Contains texts that people type: breaks within a word if there is no room. */
  isLong?: boolean;
  /** Contains a date, a reference or a word, which must not be broken. */
  isWhole?: boolean;
};

type HeadProps = {
  /** The filters of the list in words; falsy values are left out. */
  filters: readonly (string | false | null | undefined)[];
  /** The count in words, "144 rows". If absent, the list has no head, for a page that has a head already. */
  counted: (rows: number) => string;
  loaded: number;
  /** The number of all rows, including those that are not loaded; undefined if it is not known. */
  total?: number | undefined;
  hasMore: boolean;
};

export type PrintedRow = { id: string } | { g: number };
export type PrintedListProps<Row> = Partial<Omit<HeadProps, 'loaded'>> & {
  caption: string;
  rows: readonly Row[];
  columns: readonly PrintedColumn<Row>[];
};

/** A plain table of all rows of a list, with filter and count at its head. */
export function PrintedList<Row extends PrintedRow>(props: PrintedListProps<Row>) {
  const { caption, rows, columns, filters = [], counted, total, hasMore = false } = props;
  return (
    <div>
      {counted !== undefined && (
        <PrintedHead {...{ filters, counted, total }} loaded={rows.length} hasMore={hasMore} />
      )}
      <table className="w-full text-left text-xs">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line-2 border-b">
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={cx(cell, 'font-semibold', isNumber && 'text-right')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={'g' in row ? row.g : row.id} data-printed="" className="border-line border-b align-top">
              {columns.map(({ name, of, isNumber, isLong, isWhole }) => (
                <td
                  key={name}
                  className={cx(
                    cell,
                    isNumber && 'text-right tabular-nums',
                    isLong && '[overflow-wrap:anywhere]',
                    isWhole && 'whitespace-nowrap',
                  )}
                >
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cell = 'py-1 pr-2.5 last:pr-0';

/** The filters of a printed list, the number of its rows, and the day. */
function PrintedHead({ filters, counted, loaded, total, hasMore }: HeadProps) {
  return (
    <div className="mt-3 mb-2 text-sm">
      <p data-printed-head="" className="font-medium">
        {[...filters, countText(), formatDay(presentDay())].filter(Boolean).join(' · ')}
      </p>
      {hasMore && (
        <p>
          {loaded < PRINTED_MAX
            ? 'This is not the whole list. The Print button on the page loads the rest first; a phone held upright may hide it, and shows it held sideways.'
            : 'This is not the whole list. Narrow it with the filters, or export it.'}
        </p>
      )}
    </div>
  );
  function countText(): string {
    if (!hasMore) return counted(loaded);
    if (total === undefined) return `The first ${counted(loaded)}`;
    return `The first ${formatNumber(loaded)} of ${counted(total)}`;
  }
}
