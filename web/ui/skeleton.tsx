import { cx } from './cx.ts';

/** The shape of something that is on its way. Give it the size of the thing. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('shimmer rounded-control bg-mute', className)} />;
}
