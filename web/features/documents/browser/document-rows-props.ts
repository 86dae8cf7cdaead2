import type { DocumentOrder } from '#shared/features/documents/documents.ts';
import type { DocumentSort } from '#shared/features/documents/documents.vocabulary.ts';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import type { Item } from '../items.ts';
import type { Scroller } from './use-item-keys.ts';

export type DocumentRowsProps = {
  items: readonly Item[];
  /** The number of items, including those not loaded yet; undefined where not all are counted. */
  total: number | undefined;
  /** The number of columns of the grid. */
  columns: number;
  order: DocumentOrder;
  onSort: (sort: DocumentSort) => void;
  more: MoreRows;
  scroller: Scroller;
};
