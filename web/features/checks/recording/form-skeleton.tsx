import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

/** Placeholder of a form that is loading. */
export function FormSkeleton() {
  return (
    <div className="appear-late grid gap-2.5">
      <Skeleton className="h-[62px] rounded-panel" />
      <div className="grid grid-cols-2 gap-2.5">
        <Skeleton className="h-[62px] rounded-panel" />
        <Skeleton className="h-[62px] rounded-panel" />
      </div>
      <Skeleton className="mt-4 h-32 rounded-phone" />
      <Skeleton className="h-32 rounded-phone" />
    </div>
  );
}
