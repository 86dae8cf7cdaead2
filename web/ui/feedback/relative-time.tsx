import { formatDateTime, formatRelative } from '#shared/dates.ts';
import { useNow } from '../../lib/time/use-now.ts';

/** "2 hours ago", updated; the exact time as tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, now)}
    </time>
  );
}
