import { cx } from '../cx.ts';
import { useDelayedPrint } from '../lists/print-request.ts';

/** The placeholder of something that is loading. Give it the size of what it replaces. */
export function Skeleton({ className }: { className?: string }) {
  useDelayedPrint(true);
  return <div aria-hidden className={cx('shimmer rounded-control bg-mute', className)} />;
}
