import { HOUR_MS } from '#shared/dates.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import { countAttempt, countOne, MINUTE_MS, tooMany } from '../../kernel/attempt-counts.ts';
import type { Context, Services } from '../../kernel/context.ts';
import { holdOf, takeTurn } from './throttle.ts';

/** Requests for links per device with an earlier sign-in, over all accounts. */
const DEVICE = { max: 20, windowMs: HOUR_MS };
/** Requests per network before further ones are delayed. */
const NETWORK = { free: 100, windowMs: HOUR_MS };
/** Links per account that one of its own devices may request. */
const OWN = { max: 3, windowMs: HOUR_MS };
/** Links per account that all other senders together may request; after that one in ten minutes. */
const ACCOUNT = { free: 3, windowMs: HOUR_MS, everyMs: 10 * MINUTE_MS };

/**
 * Counts a request for a link before it is answered; the answer reveals nothing about the account. Requests from a
 * network only delay each other, and known devices are not delayed.
 * @throws AppError `rate_limited` because of the device's own requests, or if too many requests are being delayed
 */
export async function admitRequest({ services, address, device }: Context): Promise<void> {
  const { db, clock, devices, holds } = services;
  const known = await devices.idOf(device);
  if (known !== undefined) {
    const wait = await countAttempt(db, clock.now(), { key: `forgot-from:${known}`, ...DEVICE });
    if (wait > 0) throw tooMany(wait * 1_000);
    return;
  }
  const count = await countOne(db, clock.now(), `forgot:${networkOf(address)}`, NETWORK.windowMs);
  await holds.wait(holdOf(count - NETWORK.free));
}

/**
 * Whether another link may be mailed to the account. Its own devices have a limit of their own, which strangers cannot use up.
 * All other senders share three an hour, then one in ten minutes, so that the mailbox is not flooded. If a link is withheld, a
 * link of the last ten minutes is still valid.
 * @param account.device the id of the device's mark for this account, from `devices.recognise`
 */
export async function mayMailLink(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  account: { userId: string; device: string | undefined },
): Promise<boolean> {
  const now = clock.now();
  const { device, userId } = account;
  if (device !== undefined) {
    const own = await countAttempt(db, now, { key: `forgot-own:${device}`, ...OWN });
    if (own === 0) return true;
  }
  const key = `forgot-account:${userId}`;
  const leftMs = await takeTurn(db, key, now, ACCOUNT.everyMs);
  return (await countOne(db, now, key, ACCOUNT.windowMs)) <= ACCOUNT.free || leftMs === 0;
}
