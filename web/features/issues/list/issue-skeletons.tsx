import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

type Props = { count?: number; className?: string };

/** Placeholders of cards that are loading. */
export function IssueSkeletons({ count = 6, className = 'grid gap-3 sm:grid-cols-2 lg:grid-cols-3' }: Props) {
  const places = Array.from({ length: count }, (_, index) => index);
  return (
    <div role="status" className={`appear-late ${className}`}>
      <span className="sr-only">Loading issues…</span>
      {places.map((place) => (
        <Card key={place} className="px-[13px] py-3" data-skeleton="">
          <Skeleton className="h-3 w-16" />
          <Skeleton className="mt-2 h-4 w-3/4" />
          <Skeleton className="mt-2 h-3 w-full" />
          <Skeleton className="mt-1.5 h-3 w-2/3" />
          <div className="mt-3 flex justify-between">
            <Skeleton className="h-3 w-14" />
            <Skeleton className="h-3 w-12" />
          </div>
        </Card>
      ))}
    </div>
  );
}
