import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Printable } from '../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../ui/lists/printed-list.tsx';
import { type MoreRows, useLoadMore } from '../../ui/lists/use-load-more.ts';
import { useMedia } from '../../ui/use-media.ts';
import { buildingList } from './places.live.ts';

const ROW_HEIGHT = 44;
/** On a phone a row has two lines. */
const PHONE_ROW_HEIGHT = 60;
const EVERYTHING = { clientId: undefined, search: '' };

/** "Current Locations": all buildings, sorted by name. */
export function CurrentLocations() {
  const list = useLiveList(buildingList, EVERYTHING);
  const { page, rows, status, error, refetch } = list;
  return (
    <Card className="min-w-0 p-4 print:border-0 print:p-0">
      <div className="-my-1 flex items-center justify-between">
        <h2 className="font-semibold text-md">Current Locations</h2>
        <div className="flex print:hidden">
          <PrintButton iconOnly />
        </div>
      </div>
      <div className="mt-3">
        {status === 'loading' && (
          <div className="grid gap-2" aria-busy>
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </div>
        )}
        {status === 'error' && (
          <ErrorState
            title={messages.locations.loadFailed}
            text={messageFor(error, messages.common.notReached)}
            error={error}
            onRetry={refetch}
          />
        )}
        {status === 'ready' && rows.length === 0 && <p className="text-ink-2">{placeMessages.noneAdded}</p>}
        {page !== undefined && rows.length > 0 && (
          <>
            <LocationRows {...list} total={page.total} />
            <p className="mt-3 text-ink-2 text-sm tabular-nums">{placeMessages.showing(page.total)}</p>
          </>
        )}
      </div>
    </Card>
  );
}

type Row = { id: string; code: string; clientName: string; name: string; address: string | null };
type Props = MoreRows & {
  /** Number of buildings, including those not loaded yet. */
  total: number;
  rows: readonly Row[];
};
const PRINTED: readonly PrintedColumn<Row>[] = [
  { name: 'ID', of: ({ code }) => code },
  { name: 'Client', of: ({ clientName }) => clientName },
  { isLong: true, name: 'Building Name', of: ({ name }) => name },
  { isLong: true, name: 'Address', of: ({ address }) => address ?? '—' },
];
const cell = 'truncate px-2 first:pl-0';
const wideOnly = 'max-sm:hidden';

function LocationRows({ rows, total, ...more }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia('(min-width: 40rem)') ? ROW_HEIGHT : PHONE_ROW_HEIGHT;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measurements depend on the row height
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...more, lastShown: items.at(-1)?.index ?? -1, loaded: rows.length });
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Printable
      {...more}
      caption="Locations"
      rows={rows}
      total={total}
      columns={PRINTED}
      counted={(n) => plural(n, 'location')}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section ref={scroller} aria-label="Locations" tabIndex={0} className="max-h-[30rem] overflow-auto">
        <table aria-rowcount={total + 1} className="w-full table-fixed text-left sm:min-w-[34rem]">
          <thead className="sticky top-0 short:static bg-surface">
            <tr className="h-9 border-line border-b text-ink-2 text-xs">
              <th scope="col" className="w-14 px-2 pl-0 font-medium sm:w-20">
                ID
              </th>
              <th scope="col" className={cx('w-[28%] px-2 font-medium', wideOnly)}>
                Client
              </th>
              <th scope="col" className="px-2 font-medium sm:w-[28%]">
                Building Name
              </th>
              <th scope="col" className={cx('px-2 font-medium', wideOnly)}>
                Address
              </th>
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {items.map((item) => {
              const row = rows[item.index];
              return row === undefined ? null : (
                <tr
                  key={item.key}
                  aria-rowindex={item.index + 2}
                  style={{ height: rowHeight }}
                  className="border-line border-b"
                >
                  <td className={cell}>{row.code}</td>
                  <td className={cx(cell, wideOnly)} title={row.clientName}>
                    {row.clientName}
                  </td>
                  <td className={cell} title={row.name}>
                    {row.name}
                    <span className="block truncate text-ink-2 text-xs sm:hidden">
                      {[row.clientName, row.address].filter(Boolean).join(' · ')}
                    </span>
                  </td>
                  <td className={cx(cell, wideOnly)} title={row.address ?? undefined}>
                    {row.address ?? '—'}
                  </td>
                </tr>
              );
            })}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </tbody>
        </table>
      </section>
    </Printable>
  );
}
