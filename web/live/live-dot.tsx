import { useEffect, useReducer } from 'react';
import { messages } from '#shared/messages.ts';
import { cx } from '../ui/cx.ts';
import { useLiveStatus } from './hooks/use-live-status.ts';

const LOOKS = {
  live: { dot: 'bg-ok ring-ok/15', text: messages.app.live },
  reconnecting: { dot: 'bg-due ring-due/20', text: messages.app.reconnecting },
  offline: { dot: 'bg-ink-3 ring-ink-3/15', text: messages.app.offline },
} as const;

/** The indicator of whether the screen is live; while reconnecting, it counts the seconds. */
export function LiveDot() {
  const { state, sinceMs, outOfDate } = useLiveStatus();
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const counting = state === 'reconnecting';

  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [counting]);

  const look = LOOKS[state];
  const seconds = Math.max(0, Math.round((Date.now() - sinceMs) / 1000));
  return (
    <div
      data-live={state}
      title={outOfDate ? messages.app.outOfDate : undefined}
      className="flex min-w-0 items-center gap-2 text-ink-2 text-xs whitespace-nowrap tabular-nums"
    >
      <span aria-hidden className={cx('size-2 flex-none rounded-full ring-3', look.dot)} />
      <span role="status" className="truncate">
        {look.text}
      </span>
      {/* On a phone there is no room for the seconds beside the number of unsent records. */}
      {counting && <span className="max-[430px]:hidden">{seconds} s</span>}
    </div>
  );
}
