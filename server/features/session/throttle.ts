import { createHash } from 'node:crypto';
import { eq, inArray, lt, lte } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { attemptSpacings, attempts } from '#db/schema/people.ts';
import { HOUR_MS } from '#shared/dates.ts';
import type { Passwords } from '../../adapters/auth/passwords.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import {
  type Counted,
  decrement,
  increment,
  MINUTE_MS,
  tooMany,
  windowAt,
} from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';

/** Failures per device on which the account was used before. Further failures are counted like the failures of strangers. */
const DEVICE = { max: 10, windowMs: 15 * MINUTE_MS };
/** Failures with one's own password: of changing it, and of authenticating again in one session. */
const OWN = { max: 5, windowMs: 15 * MINUTE_MS };
/**
 * Failures with codes of one account, on all devices that it was used on, and on all others. A guess is correct with a
 * probability of three in a million.
 */
const CODE = { max: 10, windowMs: HOUR_MS };
/** The number of the failure within an hour after which the person is notified. */
const CODE_NOTICE_AFTER = 5;
/** Failures of one account from one network before attempts are spaced: 1 s, 2 s, 4 s and so on. */
const PAIR = { free: 5, windowMs: 15 * MINUTE_MS, longestMs: 30_000 };
/** Failures of one account from anywhere, and of one network, before attempts are delayed. */
const ACCOUNT = { free: 20, windowMs: HOUR_MS };
const NETWORK = { free: 30, windowMs: HOUR_MS };
/** The delay starts at a tenth of a second and doubles with every ten further failures. */
const HOLD = { firstMs: 100, doublesEvery: 10, longestMs: 4_000 };

/** An attempt, counted as a failure until its outcome is known. */
export type Attempt = {
  /** Subtracts the attempt from the count, and forgets earlier failures. */
  succeeded(): Promise<void>;
  /** Subtracts the attempt from the count, because the password was not checked. */
  withdrawn(): Promise<void>;
};

/**
 * Counts a sign-in attempt and delays it according to earlier failures. It is counted first, so that a hundred
 * concurrent attempts count as a hundred. Failures of others never refuse an attempt: a device known to the account has
 * a limit of its own, and failures at the account or from the network only delay it, by at most four seconds. Failures
 * at this account from this network refuse it for at most thirty seconds.
 * @param by.device the id of the device's mark for this account, from `devices.recognise`
 * @throws AppError `rate_limited`; a refused attempt does not count
 */
export async function beginAttempt(
  { db, clock, holds, commands }: Pick<Services, 'db' | 'clock' | 'holds' | 'commands'>,
  by: { email: string; address: string; device: string | undefined },
): Promise<Attempt> {
  const network = networkOf(by.address);
  // All attempts of a network count in one row. Hundreds that wait for it would take every connection to the database.
  const counter = createCounter(db, clock.now(), (work) => commands.run(network, work));
  if (by.device !== undefined) {
    const key = `device:${by.device}`;
    const failures = await counter.take(key, DEVICE.windowMs);
    if (failures <= DEVICE.max) return counter.attempt(key);
    await counter.giveBack();
  }
  const account = shortHash(by.email);
  const pair = `pair:${account}:${network}`;
  const overPair = (await counter.take(pair, PAIR.windowMs)) - PAIR.free;
  if (overPair > 0) {
    const spacingMs = Math.min(1_000 * 2 ** (overPair - 1), PAIR.longestMs);
    const waitMs = await takeTurn(db, pair, clock.now(), spacingMs);
    if (waitMs > 0) {
      await counter.giveBack();
      throw tooMany(waitMs);
    }
  }
  const overAccount = (await counter.take(`account:${account}`, ACCOUNT.windowMs)) - ACCOUNT.free;
  const overNetwork = (await counter.take(`network:${network}`, NETWORK.windowMs)) - NETWORK.free;
  const attempt = counter.attempt(pair);
  try {
    await holds.wait(holdOf(Math.max(overAccount, overNetwork)));
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  return attempt;
}

/**
 * Counts an attempt with the person's present password.
 * @throws AppError `rate_limited` after five failures in fifteen minutes
 */
export async function beginOwnAttempt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
): Promise<Attempt> {
  return beginLimitedAttempt({ db, clock }, `own:${userId}`, OWN);
}

/**
 * Counts an attempt to authenticate again in a session.
 * @returns the attempt; if `isSuspicious`, the person must be notified if the code is wrong
 * @throws AppError `rate_limited` after five failures in fifteen minutes
 */
export async function beginSessionAttempt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sessionId: string,
): Promise<Attempt & { isSuspicious: boolean }> {
  const attempt = await beginLimitedAttempt({ db, clock }, `session:${sessionId}`, OWN);
  return { ...attempt, isSuspicious: attempt.failures === OWN.max };
}

/**
 * Counts an attempt with a code of a second factor, after the password was verified. Devices on which the account was used before
 * have a count of their own, so that an attacker who knows the password cannot lock the person out. Recovery codes, which cannot
 * be guessed, are counted apart from the codes of an app.
 * @param by.isKnown whether the account was used on this device before
 * @returns the attempt; if `isSuspicious`, the person must be notified if the attempt fails
 * @throws AppError `rate_limited` after ten failures in an hour
 */
export async function beginCodeAttempt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  by: { userId: string; isKnown: boolean; isRecovery: boolean },
): Promise<Attempt & { isSuspicious: boolean }> {
  const attempt = await beginLimitedAttempt({ db, clock }, codeKey(by), CODE);
  return { ...attempt, isSuspicious: attempt.failures === CODE_NOTICE_AFTER };
}

/** Forgets the failures of strangers, after a link to a new password: strangers do not know the new password. */
export async function forgetStrangersCodes(db: Queryable, userId: string): Promise<void> {
  const of = { userId, isKnown: false };
  const keys = [codeKey({ ...of, isRecovery: false }), codeKey({ ...of, isRecovery: true })];
  await db.delete(attempts).where(inArray(attempts.key, keys));
}

function codeKey({ userId, isKnown, isRecovery }: { userId: string; isKnown: boolean; isRecovery: boolean }) {
  return `${isRecovery ? 'recovery' : 'code'}:${isKnown ? 'known' : 'strange'}:${userId}`;
}

async function beginLimitedAttempt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  key: string,
  { max, windowMs }: { max: number; windowMs: number },
): Promise<Attempt & { failures: number }> {
  const counter = createCounter(db, clock.now());
  const failures = await counter.take(key, windowMs);
  if (failures > max) {
    await counter.giveBack();
    throw tooMany(counter.leftMs(windowMs));
  }
  return { ...counter.attempt(key), failures };
}

/** Verifies the password. A refusal because of too many waiting calls does not count as an attempt. */
export async function checkPassword(
  { passwords }: Services,
  attempt: Attempt,
  args: Parameters<Passwords['verify']>,
): Promise<boolean> {
  try {
    return await passwords.verify(...args);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
}

/** Deletes counts that no window includes any more. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  await db
    .delete(attempts)
    .where(lt(attempts.windowStart, new Date(now.getTime() - 2 * HOUR_MS).toISOString()));
  await db.delete(attemptSpacings).where(lt(attemptSpacings.freeAt, now.toISOString()));
}

/**
 * Takes the next turn if it is free; of several concurrent calls one gets it.
 * @returns 0, or the milliseconds until it is free
 */
export async function takeTurn(db: Database, key: string, now: Date, spacingMs: number): Promise<number> {
  const freeAt = new Date(now.getTime() + spacingMs).toISOString();
  const taken = await db
    .insert(attemptSpacings)
    .values({ key, freeAt })
    .onConflictDoUpdate({
      target: attemptSpacings.key,
      set: { freeAt },
      setWhere: lte(attemptSpacings.freeAt, now.toISOString()),
    })
    .returning({ key: attemptSpacings.key });
  if (taken.length > 0) return 0;
  const [held] = await db
    .select({ freeAt: attemptSpacings.freeAt })
    .from(attemptSpacings)
    .where(eq(attemptSpacings.key, key));
  return held === undefined ? spacingMs : Math.max(1, Date.parse(held.freeAt) - now.getTime());
}

/**
 * The delay in milliseconds for an attempt.
 * @param over attempts beyond the free ones
 */
export function holdOf(over: number): number {
  if (over <= 0) return 0;
  return Math.min(HOLD.firstMs * 2 ** ((over - 1) / HOLD.doublesEvery), HOLD.longestMs);
}

/** @param run runs each statement, or a few statements together */
function createCounter(
  db: Database,
  now: Date,
  run: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
) {
  const counted: Counted[] = [];
  function giveBack(): Promise<void> {
    return run(async () => {
      for (const one of counted.splice(0)) await decrement(db, one);
    });
  }
  return {
    async take(key: string, windowMs: number): Promise<number> {
      const one = { key, windowStart: windowAt(now, windowMs).start };
      counted.push(one);
      return run(() => increment(db, one));
    },
    giveBack,
    leftMs: (windowMs: number) => windowAt(now, windowMs).leftMs,
    /** @param own the key whose failures a success forgets */
    attempt: (own: string): Attempt => ({
      withdrawn: giveBack,
      async succeeded() {
        await giveBack();
        await db.delete(attempts).where(eq(attempts.key, own));
        await db.delete(attemptSpacings).where(eq(attemptSpacings.key, own));
      },
    }),
  };
}

/** A short hash that distinguishes accounts, so that the table contains no e-mail addresses. */
export function shortHash(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 22);
}
