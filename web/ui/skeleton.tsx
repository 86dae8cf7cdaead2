import { cx } from './cx.ts';

/** The placeholder of something that is loading. Give it the same size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('shimmer rounded-control bg-mute', className)} />;
}
