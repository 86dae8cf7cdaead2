import { dayOf } from '#shared/dates.ts';
import { serverClock } from './server-clock.ts';

/** Returns the organisation's day. It follows the server's clock, because the device's own may be wrong. */
export function presentDay(): string {
  return dayOf(serverClock.toServer(Date.now()));
}
