import { memo } from 'react';
import { formatFileSize } from '#shared/text/file-size.ts';
import { useHighlight } from '../../../live/hooks/use-highlight.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { cx } from '../../../ui/cx.ts';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { useTableWindow } from '../../../ui/lists/use-table-window.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { documentText } from '../document-text.ts';
import type { Item } from '../items.ts';
import { useBrowser } from './browser-context.ts';
import type { DocumentRowsProps } from './document-rows-props.ts';
import { DisciplineBadge, ExpiryBadge, LostBadge, ProofMark } from './item-badges.tsx';
import { ItemPicture } from './item-icon.tsx';
import { ItemMenu } from './item-menu.tsx';
import { ItemCheckbox, ItemName, useRowDrag } from './item-parts.tsx';
import { useScroller } from './use-scroller.ts';

/** The heights of a card, px. With one column the text is beside the picture; with several it is below the picture. */
const LYING = 110;
const STANDING = 226;
/** With rows of several disciplines, a card also shows the discipline, which may need its own line. */
const STANDING_ACROSS = 250;
/** Cards of disciplines show only a name and a count. */
const STANDING_DISCIPLINE = 184;
const GAP = 12;

/** 1, 2, 3, 4 or 6 columns at 390, 640, 768, 1024 and 1440 px (specification, section 2). */
export function useColumns(): number {
  const two = useMedia('(min-width: 640px)');
  const three = useMedia('(min-width: 768px)');
  const four = useMedia('(min-width: 1024px)');
  const six = useMedia('(min-width: 1440px)');
  return six ? 6 : four ? 4 : three ? 3 : two ? 2 : 1;
}

/** The items as cards; only visible rows are rendered. */
export function DocumentGrid({ items, columns, more, scroller }: DocumentRowsProps) {
  const rows = Array.from({ length: Math.ceil(items.length / columns) }, (_, row) => ({
    id: items[row * columns]?.id ?? '',
  }));
  const { isAcross } = useBrowser();
  const isDisciplines = items.every(({ kind }) => kind === 'discipline');
  const standing = isDisciplines ? STANDING_DISCIPLINE : isAcross ? STANDING_ACROSS : STANDING;
  const height = columns === 1 ? LYING : standing;
  const {
    root,
    items: drawn,
    before,
    after,
    scrollTo,
  } = useTableWindow({
    rows,
    rowHeight: height + GAP,
    ...more,
  });
  useScroller(scroller, (index) => scrollTo(Math.floor(index / columns)));
  const shown = drawn.flatMap(({ index }) => items.slice(index * columns, (index + 1) * columns));
  return (
    <div ref={root}>
      <ul
        aria-label="Documents"
        className="grid"
        style={{
          gap: GAP,
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridAutoRows: height,
          paddingTop: before,
          paddingBottom: after,
        }}
      >
        {shown.map((item) => (
          <DocumentCard key={item.id} item={item} lying={columns === 1} />
        ))}
      </ul>
    </div>
  );
}

const DocumentCard = memo(function DocumentCard({ item, lying }: { item: Item; lying: boolean }) {
  const { selected } = useBrowser();
  const glow = useHighlight('document', item.id);
  const isDocument = item.kind !== 'discipline';
  return (
    <li
      data-item={item.id}
      title={glow === undefined ? undefined : 'Just changed by someone else'}
      {...useRowDrag(item)}
      className={cx(
        'group relative flex gap-3 rounded-card border bg-surface p-3 transition-colors hover:border-edge',
        'has-[[data-item-name]:focus-visible]:outline-2 has-[[data-item-name]:focus-visible]:outline-brand has-[[data-item-name]:focus-visible]:outline-offset-2',
        'data-[drop=over]:border-brand data-[drop=over]:bg-brand-soft',
        isDocument && selected.has(item.id) ? 'border-brand bg-brand-soft' : 'border-line',
        // When there is a badge, the name gets one line instead of two.
        lying ? 'has-[[data-marks]>*]:[&_[data-item-name]]:line-clamp-1' : 'flex-col',
        glow !== undefined && 'glow',
      )}
    >
      <ItemPicture item={item} className={lying ? 'size-16' : item.kind === 'discipline' ? 'h-14' : 'h-20'} />
      {isDocument && (
        <ItemCheckbox
          item={item}
          className={cx(
            'absolute',
            lying
              ? 'top-0 left-0'
              : // On touch screens the touch target is larger than the box; only the box has a background.
                'top-4 left-4 pointer-fine:bg-surface pointer-coarse:top-1 pointer-coarse:left-1 pointer-coarse:[&>input]:rounded-sm pointer-coarse:[&>input]:ring-4 pointer-coarse:[&>input]:ring-surface',
          )}
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-start justify-between gap-1">
          <ItemName item={item} className="line-clamp-2" />
          {isDocument && (
            <ItemMenu item={item} className="-mt-1 -mr-1.5 pointer-coarse:-mt-3 pointer-coarse:-mb-4" />
          )}
        </div>
        <Marks item={item} />
        <p className="mt-auto grid text-ink-2 text-sm leading-[18px]">
          <CardFacts item={item} />
        </p>
      </div>
    </li>
  );
});

function Marks({ item }: { item: Item }) {
  return (
    <div
      data-marks=""
      className="flex min-h-0 min-w-0 flex-wrap items-center gap-1 overflow-hidden max-sm:flex-nowrap"
    >
      <DisciplineBadge item={item} />
      <LostBadge item={item} />
      <ExpiryBadge item={item} />
      {item.kind === 'file' && <ProofMark document={item.document} />}
    </div>
  );
}

/** Size and time of upload, on separate lines. */
function CardFacts({ item }: { item: Item }) {
  const pending = usePending('document', item.id);
  if (item.kind === 'discipline') return <>{documentText.held(item)}</>;
  const { fileSize, uploadedAt } = item.document;
  return (
    <>
      {item.kind === 'file' && (
        <span className="tabular-nums">{fileSize === null ? '—' : formatFileSize(fileSize, 'Bytes')}</span>
      )}
      <span className="flex items-center gap-1.5">
        <span className="truncate">
          {item.kind === 'folder' ? 'Created' : 'Uploaded'} <RelativeTime at={uploadedAt} />
        </span>
        {pending && <PendingDot />}
      </span>
    </>
  );
}
