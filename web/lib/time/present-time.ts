import { dayOf } from '#shared/dates.ts';
import { serverClock } from './server-clock.ts';

/**
 * The present time, Unix ms: this device's estimate of the server's time, because the device's own clock may be wrong. It
 * is for times that are shown or offered as a default. Records contain the device's own time together with a
 * `ClockReading` (ruling L7).
 */
export function presentTime(): number {
  return serverClock.toServer(Date.now());
}

/** The present time as an ISO timestamp; see {@link presentTime}. */
export function presentInstant(): string {
  return new Date(presentTime()).toISOString();
}

/** The present day of the organisation. */
export function presentDay(): string {
  return dayOf(presentTime());
}
