import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ActivityPage } from '#shared/features/activity.ts';
import { activityMessages } from '#shared/features/activity-messages.ts';
import { Button } from '../../ui/button.tsx';
import { ActivityRow } from './activity-row.tsx';

type Props = { page: ActivityPage; isLoadingMore: boolean; onMore: () => void };

const ROW_HEIGHT = 64;
/** Rows before the end of what is loaded at which the next page is asked for. */
const AHEAD = 15;
/** As far down as this, new entries wait above instead of pushing away what is read. */
const READING_FROM = 120;

/** The record, endless downwards; what is new stands on top, or waits there while somebody reads further down. */
export function ActivityList({ page, isLoadingMore, onMore }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0), []);
  const { hidden, release } = useHeld(page);
  const entries = hidden === 0 ? page.entries : page.entries.slice(hidden);
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => entries[index]?.g ?? index,
    scrollMargin: top,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const near = page.nextCursor !== null && (items.at(-1)?.index ?? -1) >= entries.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the length says that a page has come and the end may still be near
  useEffect(() => {
    if (near) onMore();
  }, [near, entries.length, onMore]);

  return (
    <div ref={root}>
      {hidden > 0 && (
        <div className="sticky top-16 z-10 -mb-9 flex justify-center">
          <Button variant="primary" className="rounded-full" onClick={release}>
            <ArrowUp size={15} aria-hidden />
            {activityMessages.fresh(hidden)}
          </Button>
        </div>
      )}
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <div
          role="feed"
          aria-label="Activity"
          aria-busy={isLoadingMore}
          style={{ height: virtualizer.getTotalSize() }}
        >
          <div style={{ transform: `translateY(${(items[0]?.start ?? top) - top}px)` }}>
            {items.map((item) => {
              const entry = entries[item.index];
              return entry === undefined ? null : (
                <div key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
                  <ActivityRow entry={entry} names={page.names} />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <p className="py-4 text-center text-ink-2 text-sm" aria-live="polite">
        {page.nextCursor === null ? activityMessages.end : 'Loading…'}
      </p>
    </div>
  );
}

/** How many entries wait above: those newer than the first one that was there when reading began. */
function useHeld(page: ActivityPage): { hidden: number; release: () => void } {
  const [anchor, setAnchor] = useState<number | undefined>(undefined);
  const first = useRef(page.entries[0]?.g);
  first.current = page.entries[0]?.g;
  useEffect(() => {
    function onScroll() {
      const reading = window.scrollY > READING_FROM;
      setAnchor((held) => (reading ? (held ?? first.current) : undefined));
    }
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  const at = anchor === undefined ? 0 : page.entries.findIndex(({ g }) => g === anchor);
  return {
    hidden: Math.max(0, at),
    release() {
      setAnchor(undefined);
      window.scrollTo({ top: 0 });
    },
  };
}
