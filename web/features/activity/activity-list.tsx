import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ActivityEntry, ActivityPage } from '#shared/features/activity/activity.ts';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';
import { StickyButton } from '../../ui/buttons/sticky-button.tsx';
import { type MoreRows, useLoadMore } from '../../ui/lists/use-load-more.ts';
import { ActivityRow } from './activity-row.tsx';

type Props = MoreRows & { rows: readonly ActivityEntry[]; names: ActivityPage['names'] };

const ROW_HEIGHT = 64;
/** Scroll position, in pixels, below which new entries are held back. */
const READING_FROM = 120;

/**
 * The activity list, which loads more entries while scrolling. New entries appear at the top, or are held back behind a
 * button while the person reads further down.
 */
export function ActivityList({ rows, names, ...more }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0), []);
  const { hidden, release } = useHeld(rows);
  const entries = hidden === 0 ? rows : rows.slice(hidden);
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => entries[index]?.g ?? index,
    scrollMargin: top,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...more, lastShown: items.at(-1)?.index ?? -1, loaded: entries.length });

  return (
    <div ref={root}>
      {hidden > 0 && (
        <StickyButton onClick={release}>
          <ArrowUp size={15} aria-hidden />
          {activityMessages.fresh(hidden)}
        </StickyButton>
      )}
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <div
          role="feed"
          aria-label="Activity"
          aria-busy={more.isLoadingMore}
          style={{ height: virtualizer.getTotalSize() }}
        >
          <div style={{ transform: `translateY(${(items[0]?.start ?? top) - top}px)` }}>
            {items.map((item) => {
              const entry = entries[item.index];
              return entry === undefined ? null : (
                <div key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
                  <ActivityRow entry={entry} names={names} />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <p className="py-4 text-center text-ink-2 text-sm" aria-live="polite">
        {more.hasMore ? 'Loading…' : activityMessages.end}
      </p>
    </div>
  );
}

/**
 * Counts the new entries held back: entries newer than the first entry at the time when the person scrolled down. Not
 * part of `useLiveList`, because rows of other lists change and move, and these changes must show at once; here rows are
 * only added at the top.
 */
function useHeld(rows: readonly ActivityEntry[]): { hidden: number; release: () => void } {
  const [anchor, setAnchor] = useState<number | undefined>(undefined);
  const first = useRef(rows[0]?.g);
  first.current = rows[0]?.g;
  useEffect(() => {
    function onScroll() {
      const reading = window.scrollY > READING_FROM;
      setAnchor((held) => (reading ? (held ?? first.current) : undefined));
    }
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  const at = anchor === undefined ? 0 : rows.findIndex(({ g }) => g === anchor);
  return {
    hidden: Math.max(0, at),
    release() {
      setAnchor(undefined);
      window.scrollTo({ top: 0 });
    },
  };
}
