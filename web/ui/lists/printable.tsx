import type { ReactNode } from 'react';
import { PrintFrame } from './print-frame.tsx';
import { PrintedList, type PrintedListProps, type PrintedRow } from './printed-list.tsx';
import type { MoreRows } from './use-load-more.ts';

type Props<Row> = Omit<PrintedListProps<Row>, 'hasMore'> & Partial<MoreRows> & { children: ReactNode };

/** Shows a list on the screen, which may draw only the rows in sight, and prints a plain table of all its rows. */
export function Printable<Row extends PrintedRow>({ children, ...list }: Props<Row>) {
  return (
    <PrintFrame {...list} loaded={list.rows.length} printed={<PrintedList {...list} />}>
      {children}
    </PrintFrame>
  );
}
