import { dayOf } from '#shared/dates.ts';
import { serverClock } from './server-clock.ts';

/**
 * The present time, Unix ms: the server's, as this device knows it, because the device's own clock may be wrong. For what
 * is shown or offered as a default. What is recorded keeps the device's time together with its reading (ruling L7).
 */
export function presentTime(): number {
  return serverClock.toServer(Date.now());
}

/** The same as an ISO timestamp. */
export function presentInstant(): string {
  return new Date(presentTime()).toISOString();
}

/** The present day of the organisation. */
export function presentDay(): string {
  return dayOf(presentTime());
}
