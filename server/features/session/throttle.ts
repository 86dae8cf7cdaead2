import { createHash } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { attempts } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { networkOf } from '../../http/network-of.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Failures of one account from one address. */
const PAIR = { max: 5, windowMs: 15 * MINUTE_MS };
/** Failures of one account from anywhere: more are slowed down, never locked out, or anybody could lock anybody out. */
const ACCOUNT = { max: 20, windowMs: HOUR_MS, slowestMs: MINUTE_MS };
/** Failures of one address. */
const ADDRESS = { max: 100, windowMs: HOUR_MS };

type Counted = { key: string; windowStart: string };

/** An attempt that was counted as a failure before it is known; a success takes it back. */
export type Attempt = { succeeded(): Promise<void> };

/**
 * Counts an attempt to sign in. Counting comes first, so that a hundred at once are a hundred.
 * @throws AppError `rate_limited` when one of the limits is reached; an attempt that is refused does not count
 */
export async function beginAttempt(
  db: Database,
  now: Date,
  email: string,
  address: string,
): Promise<Attempt> {
  const account = shortHash(email);
  const place = networkOf(address);
  const counted: Counted[] = [];

  async function take(key: string, windowMs: number, max: number): Promise<number> {
    const window = windowAt(now, windowMs);
    const count = await increment(db, { key, windowStart: window.start });
    counted.push({ key, windowStart: window.start });
    if (count > max) {
      for (const one of counted) await decrement(db, one);
      throw tooMany(window.leftMs);
    }
    return count;
  }

  const pair = `pair:${account}:${place}`;
  await take(`address:${place}`, ADDRESS.windowMs, ADDRESS.max);
  await take(pair, PAIR.windowMs, PAIR.max);
  const failures = await take(`account:${account}`, ACCOUNT.windowMs, Number.POSITIVE_INFINITY);
  if (failures > ACCOUNT.max) {
    const spacingMs = Math.min(1_000 * 2 ** (failures - ACCOUNT.max), ACCOUNT.slowestMs);
    await take(`slow:${account}:${spacingMs}`, spacingMs, 1);
  }

  return {
    async succeeded() {
      for (const one of counted) await decrement(db, one);
      await db.delete(attempts).where(eq(attempts.key, pair));
    },
  };
}

/** Counts a try of something. @returns seconds to wait where there were too many, else 0 */
export async function countTry(
  db: Database,
  now: Date,
  { key, max, windowMs }: { key: string; max: number; windowMs: number },
): Promise<number> {
  const window = windowAt(now, windowMs);
  const count = await increment(db, { key, windowStart: window.start });
  return count > max ? Math.max(1, Math.ceil(window.leftMs / 1_000)) : 0;
}

/** Forgets what no window reaches back to. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  await db
    .delete(attempts)
    .where(lt(attempts.windowStart, new Date(now.getTime() - 2 * HOUR_MS).toISOString()));
}

async function increment(db: Database, counted: Counted): Promise<number> {
  const [row] = await db
    .insert(attempts)
    .values({ ...counted, count: 1 })
    .onConflictDoUpdate({
      target: [attempts.key, attempts.windowStart],
      set: { count: sql`${attempts.count} + 1` },
    })
    .returning({ count: attempts.count });
  return row?.count ?? 1;
}

async function decrement(db: Database, { key, windowStart }: Counted): Promise<void> {
  const here = and(eq(attempts.key, key), eq(attempts.windowStart, windowStart));
  const lowered = await db
    .update(attempts)
    .set({ count: sql`${attempts.count} - 1` })
    .where(and(here, gt(attempts.count, 1)))
    .returning({ count: attempts.count });
  if (lowered.length === 0) await db.delete(attempts).where(and(here, eq(attempts.count, 1)));
}

function windowAt(now: Date, windowMs: number): { start: string; leftMs: number } {
  const passed = now.getTime() % windowMs;
  return { start: new Date(now.getTime() - passed).toISOString(), leftMs: windowMs - passed };
}

function tooMany(leftMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return new AppError('rate_limited', {
    data: { retryAfterSeconds },
    message: messages.common.rateLimited(retryAfterSeconds),
  });
}

/** Enough to tell accounts apart; the table holds no addresses of people. */
export function shortHash(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 22);
}
