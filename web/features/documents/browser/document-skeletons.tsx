import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import type { DocumentView } from '../documents-url.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Placeholder of rows that are loading. It appears after a delay, so that it does not flash before a quick answer. */
export function DocumentSkeletons({ view, columns }: { view: DocumentView; columns: number }) {
  if (view === 'list') {
    return (
      <div className="appear-late grid gap-2" aria-busy>
        {ROWS.map((key) => (
          <Skeleton key={key} className="h-11" />
        ))}
      </div>
    );
  }
  return (
    <div
      className="appear-late grid gap-3"
      aria-busy
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {ROWS.slice(0, columns === 1 ? 5 : 2 * columns).map((key) => (
        <Skeleton key={key} className={columns === 1 ? 'h-28 rounded-card' : 'h-56 rounded-card'} />
      ))}
    </div>
  );
}
