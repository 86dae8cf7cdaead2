import type { ReactNode } from 'react';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { PrintFrame } from '../../../ui/lists/print-frame.tsx';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import type { PrintedIssuesProps } from './printed-issues.tsx';

const PrintedIssues = lazyScreen<PrintedIssuesProps>(() => import('./printed-issues.tsx'));

/** The issues in any view, printed as a table of all issues that match the filters. */
export function PrintableIssues({
  children,
  ...list
}: PrintedIssuesProps & MoreRows & { children: ReactNode }) {
  return (
    <PrintFrame
      {...list}
      loaded={list.rows.length}
      printed={<PrintedIssues {...list} />}
      preload={PrintedIssues.preload}
    >
      {children}
    </PrintFrame>
  );
}
