import { useSyncExternalStore } from 'react';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatDuration } from '../features/checks/log-book/format-duration.ts';
import { serverClock } from '../lib/time/server-clock.ts';

/** Warns that this device's clock is so far off that records made with it are marked. */
export function ClockNotice() {
  const offMs = useSyncExternalStore(serverClock.subscribe, serverClock.offBy, serverClock.offBy);
  if (offMs === 0) return null;
  return (
    <p
      role="status"
      className="border-line border-b bg-due-soft px-4 py-1.5 text-center text-due print:hidden"
    >
      {offlineMessages.clockOff(formatDuration(Math.abs(offMs)), offMs > 0)}
    </p>
  );
}
