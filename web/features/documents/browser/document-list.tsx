import { memo } from 'react';
import type { DocumentSort } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { useHighlight } from '../../../live/hooks/use-highlight.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { cx } from '../../../ui/cx.ts';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { ariaSort, SortButton } from '../../../ui/lists/sort-button.tsx';
import { ROW_HEIGHT, TWO_LINE_HEIGHT, useTableWindow } from '../../../ui/lists/use-table-window.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { documentText } from '../document-text.ts';
import type { DocumentItem, Item } from '../items.ts';
import { useBrowser } from './browser-context.ts';
import type { DocumentRowsProps } from './document-rows-props.ts';
import { DisciplineBadge, ExpiryBadge, expires, isExpiring, LostBadge, ProofMark } from './item-badges.tsx';
import { ItemIcon } from './item-icon.tsx';
import { ItemMenu } from './item-menu.tsx';
import { ItemCheckbox, ItemName, useRowDrag } from './item-parts.tsx';
import { useScroller } from './use-scroller.ts';

/** The columns that fit: none on a phone, which shows two lines per row; only time and size on a tablet. */
type Room = 'lines' | 'some' | 'all';

const COLUMNS: readonly { name: string; width: string; sort?: DocumentSort; room: Room }[] = [
  { name: 'Name', width: '', sort: 'name', room: 'lines' },
  { name: 'Modified', width: 'w-[8.5rem]', sort: 'modified', room: 'some' },
  { name: 'Modified by', width: 'w-[9.5rem]', room: 'all' },
  { name: 'File size', width: 'w-[6rem]', sort: 'size', room: 'some' },
  { name: 'Sharing', width: 'w-[5.75rem]', room: 'all' },
  { name: 'Activity', width: 'w-[4.5rem]', room: 'all' },
];

function useRoom(): Room {
  const some = useMedia('(min-width: 768px)');
  const all = useMedia('(min-width: 1024px)');
  return all ? 'all' : some ? 'some' : 'lines';
}

/** The items as a table, on a phone with two lines each; only visible rows are rendered. */
export function DocumentList({ items, total, order, onSort, more, scroller }: DocumentRowsProps) {
  const room = useRoom();
  const wide = room !== 'lines';
  const {
    root,
    items: drawn,
    before,
    after,
    scrollTo,
  } = useTableWindow({
    rows: items,
    rowHeight: wide ? ROW_HEIGHT : TWO_LINE_HEIGHT,
    ...more,
  });
  useScroller(scroller, scrollTo);
  const columns = COLUMNS.filter(
    (column) => room === 'all' || column.room === 'lines' || column.room === room,
  );
  const isSelectable = items.some(({ kind }) => kind !== 'discipline');
  return (
    <div ref={root} className="overflow-x-auto rounded-card border border-line bg-surface">
      <table aria-rowcount={total === undefined ? -1 : total + 1} className="w-full table-fixed text-left">
        <caption className="sr-only">Documents</caption>
        {/* The widths are set here, because a hidden head does not set any. */}
        <colgroup>
          <col className={isSelectable ? 'w-11 pointer-coarse:w-14' : 'w-3'} />
          {columns.map(({ name, width }) => (
            <col key={name} className={width} />
          ))}
          <col className="w-14" />
        </colgroup>
        <thead className={wide ? undefined : 'sr-only'}>
          <tr className="h-9 border-line border-b text-ink-2 text-xs">
            <th scope="col" className="pl-2">
              <span className="sr-only">Selected</span>
            </th>
            {columns.map(({ name, sort }) => (
              <th key={name} scope="col" className="px-2 font-medium" aria-sort={ariaSort(sort, order)}>
                {sort === undefined ? name : <SortButton {...{ name, sort, order, onSort }} />}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {drawn.map(({ key, index }) => {
            const item = items[index];
            return item && <Row key={key} item={item} index={index} room={room} />;
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

const cell = 'truncate px-2';

type RowProps = { item: Item; index: number; room: Room };

const Row = memo(function Row({ item, index, room }: RowProps) {
  const wide = room !== 'lines';
  const { selected } = useBrowser();
  const pending = usePending('document', item.id);
  const glow = useHighlight('document', item.id);
  const isDocument = item.kind !== 'discipline';
  return (
    <tr
      aria-rowindex={index + 2}
      data-item={item.id}
      title={glow === undefined ? undefined : 'Just changed by someone else'}
      {...useRowDrag(item)}
      style={{ height: wide ? ROW_HEIGHT : TWO_LINE_HEIGHT }}
      className={cx(
        'group relative border-line border-b text-ink-2 text-sm last:border-b-0',
        'has-[[data-item-name]:focus-visible]:outline-2 has-[[data-item-name]:focus-visible]:outline-brand has-[[data-item-name]:focus-visible]:-outline-offset-2',
        'data-[drop=over]:bg-brand-soft data-[drop=over]:outline-2 data-[drop=over]:outline-brand data-[drop=over]:-outline-offset-2',
        glow !== undefined || (isDocument && selected.has(item.id)) ? 'bg-brand-soft' : 'hover:bg-mute',
      )}
    >
      <td className="pl-2">{isDocument && <ItemCheckbox item={item} className="relative" />}</td>
      <td className={cell}>
        <span className="flex items-center gap-2.5">
          <ItemIcon item={item} size={20} />
          <span className="min-w-0">
            <ItemName
              item={item}
              className={cx(
                'text-base',
                wide ? 'line-clamp-2 whitespace-normal leading-tight' : 'block truncate',
              )}
            />
            {!wide && <SecondLine item={item} />}
          </span>
          {item.kind === 'file' && <ProofMark document={item.document} />}
          {wide && (
            <span className="flex shrink-0 gap-1 empty:hidden">
              <ExpiryBadge item={item} />
              <LostBadge item={item} />
              {item.kind === 'discipline' && <DisciplineBadge item={item} />}
            </span>
          )}
          {wide && item.kind === 'discipline' && <WhereRoom>{documentText.held(item)}</WhereRoom>}
          {pending && <PendingDot />}
        </span>
      </td>
      {wide &&
        (isDocument ? (
          <DocumentCells item={item} all={room === 'all'} />
        ) : (
          <DisciplineCells all={room === 'all'} />
        ))}
      <td className="px-1 text-right">{isDocument && <ItemMenu item={item} />}</td>
    </tr>
  );
});

/** Shows its text only if the whole text fits into the free space of the line. */
function WhereRoom({ children }: { children: string }) {
  return (
    <span className="flex h-5 min-w-0 flex-1 flex-wrap overflow-hidden text-ink-2 tabular-nums">
      {/* Fills the visible line, so that a text that does not fit wraps to the next line, which is hidden. */}
      <span className="h-5 w-px" />
      <span className="leading-5">{children}</span>
    </span>
  );
}

/** Size and time below the name, where no columns fit; replaced by the expiry if the document has expired or soon will. */
function SecondLine({ item }: { item: Item }) {
  const { today } = useBrowser();
  return (
    <span className="flex items-center gap-1.5 truncate text-ink-2 text-sm">
      {item.kind === 'discipline' ? (
        <>
          {expires(item) ? <ExpiryBadge item={item} /> : documentText.held(item)}
          <DisciplineBadge item={item} />
        </>
      ) : today !== undefined && isExpiring(item.document, today) ? (
        <ExpiryBadge item={item} />
      ) : (
        <>
          <span className="tabular-nums">{sizeText(item)}</span>
          <span aria-hidden>·</span>
          <span>
            <span className="sr-only">Modified </span>
            <RelativeTime at={item.document.modifiedAt} />
          </span>
          <LostBadge item={item} />
        </>
      )}
    </span>
  );
}

function DocumentCells({ item, all }: { item: DocumentItem; all: boolean }) {
  const { modifiedAt, modifiedByName, uploadedByName } = item.document;
  const by = modifiedByName ?? uploadedByName;
  return (
    <>
      <td className={cell}>
        <RelativeTime at={modifiedAt} />
      </td>
      {all && (
        <td className={cell} title={by}>
          {by === '' ? '—' : by}
        </td>
      )}
      <td className={cx(cell, 'tabular-nums')}>{sizeText(item)}</td>
      {all && <SharingAndActivity />}
    </>
  );
}

function DisciplineCells({ all }: { all: boolean }) {
  return (
    <>
      <td className={cell}>—</td>
      {all && <td className={cell}>—</td>}
      <td className={cell}>—</td>
      {all && <SharingAndActivity />}
    </>
  );
}

/** Two columns with the same content in all rows (ruling S14). */
function SharingAndActivity() {
  return (
    <>
      <td className={cell}>{documentMessages.sharing}</td>
      <td className={cell}>—</td>
    </>
  );
}

function sizeText({ document }: DocumentItem): string {
  return document.fileSize === null ? '—' : formatFileSize(document.fileSize, 'B');
}
