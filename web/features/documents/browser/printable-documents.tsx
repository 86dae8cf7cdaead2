import type { ReactNode } from 'react';
import { formatDateTime, formatDay } from '#shared/dates.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { Printable } from '../../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../../ui/lists/printed-list.tsx';
import type { MoreRows } from '../../../ui/lists/use-load-more.ts';
import { documentText } from '../document-text.ts';
import { fileKind } from '../file-kind.ts';
import type { Item } from '../items.ts';

const COLUMNS: readonly PrintedColumn<Item>[] = [
  { isLong: true, name: 'Name', of: ({ name }) => name },
  {
    name: 'Kind',
    of: kindOf,
  },
  {
    isWhole: true,
    name: 'Modified',
    of: (item) => (item.kind === 'discipline' ? '—' : formatDateTime(item.document.modifiedAt)),
  },
  {
    name: 'Modified by',
    of: (item) =>
      item.kind === 'discipline' ? '—' : (item.document.modifiedByName ?? item.document.uploadedByName),
  },
  {
    isWhole: true,
    name: 'Expires',
    of: (item) =>
      item.kind === 'discipline' || item.document.expiresOn === null
        ? '—'
        : formatDay(item.document.expiresOn),
  },
  {
    isWhole: true,
    name: 'File size',
    of: (item) =>
      item.kind === 'discipline' || item.document.fileSize === null
        ? '—'
        : formatFileSize(item.document.fileSize, 'B'),
    isNumber: true,
  },
];

type Props = {
  items: readonly Item[];
  total: number | undefined;
  more: MoreRows;
  /** The building, the path to the place, and the search and filter in words. */
  filters: readonly string[];
  children: ReactNode;
};

/** The documents of a place in either view, printed as a table. */
export function PrintableDocuments({ items, total, more, filters, children }: Props) {
  return (
    <Printable
      {...more}
      caption="Documents"
      rows={items}
      total={total}
      columns={COLUMNS}
      counted={browserMessages.count}
      filters={filters}
    >
      {children}
    </Printable>
  );
}

function kindOf(item: Item): string {
  if (item.kind === 'discipline') return documentText.held(item);
  return item.kind === 'folder' ? 'Folder' : fileKind(item.document).name;
}
