import { ArrowDown, ArrowUp } from 'lucide-react';
import { cx } from '../cx.ts';

/** The column by which a table is sorted, and the direction. */
export type TableOrder<Sort extends string> = { sort: Sort; direction: 'asc' | 'desc' };

type Props<Sort extends string> = {
  name: string;
  sort: Sort;
  order: TableOrder<Sort>;
  onSort: (sort: Sort) => void;
};

/** The head of a column by which a table can be sorted; its cell has the direction in its `aria-sort` ({@link ariaSort}). */
export function SortButton<Sort extends string>({ name, sort, order, onSort }: Props<Sort>) {
  const on = order.sort === sort;
  const Arrow = on && order.direction === 'desc' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => onSort(sort)}
      className={cx(
        'inline-flex min-h-7 items-center gap-1 rounded-control font-medium hover:text-ink pointer-coarse:min-h-12',
        on && 'text-ink',
      )}
    >
      {name}
      <Arrow size={13} aria-hidden className={cx(!on && 'opacity-0')} />
    </button>
  );
}

/** The `aria-sort` of a column; undefined for a column by which the table is not sorted. */
export function ariaSort<Sort extends string>(
  sort: Sort | undefined,
  order: TableOrder<Sort>,
): 'ascending' | 'descending' | undefined {
  if (sort !== order.sort) return undefined;
  return order.direction === 'asc' ? 'ascending' : 'descending';
}
