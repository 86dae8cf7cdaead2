import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowLeft } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Printable } from '../../ui/lists/printable.tsx';
import { type MoreRows, useLoadMore } from '../../ui/lists/use-load-more.ts';

type Named = { id: string; name: string };
type Props<Row extends Named> = Partial<MoreRows> & {
  title: string;
  /** Number of rows, including those not loaded yet. */
  total: number | undefined;
  rows: readonly Row[] | undefined;
  status: 'loading' | 'error' | 'ready';
  error: unknown;
  /** Error message when the list could not be loaded. */
  failed: string;
  onRetry: () => void;
  /** Shown when the list is empty. */
  empty: ReactNode;
  selectedId: string | undefined;
  onSelect: (row: Row) => void;
  /** Secondary text of a row. */
  detail: (row: Row) => ReactNode;
  /** Shown at the end of the heading. */
  action?: ReactNode | undefined;
  menu?: ((row: Row) => ReactNode) | undefined;
  search?: { label: string; value: string; onChange: (value: string) => void } | undefined;
  /** Shown above the list: the place that the list belongs to. */
  above?: ReactNode | undefined;
  /** On a phone only one column is shown; `shown` marks it, and `back` returns to the previous column. */
  shown: boolean;
  back?: { label: string; onSelect: () => void } | undefined;
  /** Shown in place of the list while nothing is selected in the column before. */
  waiting?: string | undefined;
};

const ROW_HEIGHT = 52;
const nothingMore = () => {};

/** One of the three columns: heading, search and a virtualised list. */
export function PlaceColumn<Row extends Named>(props: Props<Row>) {
  const { title, total, status, search, shown, back, waiting } = props;
  return (
    <section
      aria-label={title}
      className={cx(
        'flex h-[30rem] min-w-0 flex-col max-md:h-auto max-md:max-h-[30rem] max-md:min-h-48 rounded-panel border border-line bg-surface lg:h-[max(26rem,calc(100dvh-12.5rem))]',
        'print:block print:h-auto print:max-h-none print:min-h-0 print:border-0',
        waiting !== undefined && 'print:hidden',
        !shown && 'max-md:not-print:hidden',
      )}
    >
      <header className="grid gap-2.5 border-line border-b p-3 print:border-0 print:px-0 print:pb-0">
        {/* The same height with and without an action, so that the three lists start at the same level. */}
        <div className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-8">
          {back !== undefined && (
            <button
              type="button"
              onClick={back.onSelect}
              className="-my-1.5 -ml-2 print:hidden inline-flex min-h-12 items-center gap-1 rounded-control px-2 text-ink-2 md:hidden"
            >
              <ArrowLeft size={18} aria-hidden />
              {back.label}
            </button>
          )}
          <h2 className="font-semibold text-md">{title}</h2>
          {waiting === undefined && total !== undefined && (
            <span className="font-medium text-ink-2 text-sm tabular-nums">{total}</span>
          )}
          {waiting === undefined && props.action !== undefined && (
            <div className="-my-2 ml-auto flex print:hidden">{props.action}</div>
          )}
        </div>
        {search !== undefined && (
          <div className="print:hidden">
            <SearchField {...search} disabled={waiting !== undefined} />
          </div>
        )}
        {waiting === undefined && props.above}
      </header>
      {waiting !== undefined ? (
        <p className="p-4 text-ink-2">{waiting}</p>
      ) : status === 'ready' ? (
        <PrintableRows {...props} />
      ) : (
        <NotYet {...props} />
      )}
    </section>
  );
}

function PrintableRows<Row extends Named>(props: Props<Row>) {
  const { title, total, rows = [], detail, search, hasMore = false, isLoadingMore = false } = props;
  const term = search?.value.trim() ?? '';
  return (
    <Printable
      {...{ hasMore, isLoadingMore, loadMore: props.loadMore ?? nothingMore, rows, total }}
      caption={title}
      columns={[
        { name: 'Name', of: ({ name }) => name, isLong: true },
        { name: 'Details', of: detail },
      ]}
      counted={(n) => plural(n, title.toLowerCase().replace(/s$/, ''))}
      filters={[term !== '' && `“${term}”`]}
    >
      <Rows {...props} />
    </Printable>
  );
}

function NotYet<Row extends Named>({ status, error, failed, onRetry }: Props<Row>) {
  if (status === 'error') {
    return (
      <div role="alert" className="grid justify-items-start gap-2 p-4">
        <p className="font-semibold text-bad">{failed}</p>
        <p className="text-ink-2">{messageFor(error, messages.common.notReached)}</p>
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className="grid gap-2 p-3" aria-busy>
      {['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={cx('h-9', width)} />
      ))}
    </div>
  );
}

function Rows<Row extends Named>(props: Props<Row>) {
  const { title, rows = [], empty, selectedId, onSelect, detail, menu } = props;
  const { hasMore = false, isLoadingMore = false, loadMore = nothingMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? -1;
  useLoadMore({ hasMore, isLoadingMore, loadMore, lastShown, loaded: rows.length });

  // Scrolls once to a row that was selected elsewhere, such as by the URL or by adding a building.
  const at = selectedId === undefined ? -1 : rows.findIndex(({ id }) => id === selectedId);
  const found = at !== -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a row is selected or loaded, not when rows move
  useEffect(() => {
    if (found) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [selectedId, found]);

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !(event.target instanceof HTMLElement)) return;
    const index = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
    const next = index + step;
    if (Number.isNaN(next) || rows[next] === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(next, { align: 'auto' });
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] [aria-pressed]`)?.focus(),
    );
  }

  if (rows.length === 0) return <div className="p-4 text-ink-2">{empty}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside take the focus; arrow keys move it
    <div
      ref={scroller}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5"
    >
      <ul aria-label={title} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const selected = row.id === selectedId;
          return (
            <li
              key={item.key}
              // A long name wraps to a second line and makes its row higher.
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={cx(
                'absolute inset-x-0 top-0 flex items-center rounded-control',
                // A coloured edge rather than a bold name, which could wrap differently and shift the rows below.
                selected ? 'bg-brand-soft shadow-[inset_3px_0_0_var(--color-brand)]' : 'hover:bg-mute',
              )}
              style={{ minHeight: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                aria-pressed={selected}
                title={row.name}
                onClick={() => onSelect(row)}
                className="grid min-w-0 flex-1 content-center self-stretch rounded-control px-2.5 py-1.5 text-left"
              >
                <span
                  className={cx(
                    'line-clamp-2 font-medium [overflow-wrap:anywhere]',
                    selected && 'text-brand',
                  )}
                >
                  {row.name}
                </span>
                <span className="truncate text-ink-2 text-sm">{detail(row)}</span>
              </button>
              {menu?.(row)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
