import { HOUR_MS } from '#shared/dates.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import type { Context, Services } from '../../kernel/context.ts';
import { countAttempt, countOne, holdOf, MINUTE_MS, takeTurn, tooMany } from './throttle.ts';

/** Requests for links from one device with an earlier sign-in, over all accounts. */
const DEVICE = { max: 20, windowMs: HOUR_MS };
/** Requests from one network before they are held up. */
const NETWORK = { free: 100, windowMs: HOUR_MS };
/** Links to one account that one of its own devices may ask for. */
const OWN = { max: 3, windowMs: HOUR_MS };
/** Links to one account that everybody else together may ask for; after that one in ten minutes. */
const ACCOUNT = { free: 3, windowMs: HOUR_MS, everyMs: 10 * MINUTE_MS };

/**
 * Before the answer, which says nothing of the account: counts a request for a link. Others in the network only hold it
 * up, and a device that is known not even that.
 * @throws AppError `rate_limited` by what the device itself did, or where too many are held up already
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
 * Whether one more link may be mailed to the account. Its own devices have a share of their own, which strangers cannot
 * use up. All other senders share three an hour, then one in ten minutes: the mailbox is not flooded, and where a link is
 * withheld, another one of the last ten minutes is still valid.
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
