import { useEffect, useReducer } from 'react';
import { formatDateTime, formatRelative } from '#shared/dates.ts';

/** "2 hours ago", updated; the exact time as tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const [, tick] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, Date.now())}
    </time>
  );
}
