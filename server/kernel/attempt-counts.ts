import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { attempts } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';

// Attempts per key and window, counted for all server processes together.

export const MINUTE_MS = 60_000;

/** One counted attempt. `windowStart` is ISO. */
export type Counted = { key: string; windowStart: string };

/**
 * Counts an attempt against a limit.
 * @returns the seconds to wait if the limit is exceeded, else 0
 */
export async function countAttempt(
  db: Queryable,
  now: Date,
  { key, max, windowMs }: { key: string; max: number; windowMs: number },
): Promise<number> {
  const window = windowAt(now, windowMs);
  const count = await increment(db, { key, windowStart: window.start });
  return count > max ? Math.max(1, Math.ceil(window.leftMs / 1_000)) : 0;
}

/**
 * Counts an attempt that is delayed rather than refused.
 * @returns the number of attempts in this window
 */
export function countOne(db: Database, now: Date, key: string, windowMs: number): Promise<number> {
  return increment(db, { key, windowStart: windowAt(now, windowMs).start });
}

/** @returns the number of attempts of the key in this window, with this one */
export async function increment(db: Queryable, counted: Counted): Promise<number> {
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

/** Takes one attempt back. */
export async function decrement(db: Database, { key, windowStart }: Counted): Promise<void> {
  const here = and(eq(attempts.key, key), eq(attempts.windowStart, windowStart));
  const lowered = await db
    .update(attempts)
    .set({ count: sql`${attempts.count} - 1` })
    .where(and(here, gt(attempts.count, 1)))
    .returning({ count: attempts.count });
  if (lowered.length === 0) await db.delete(attempts).where(and(here, eq(attempts.count, 1)));
}

/** The window of this length that contains the moment, and the time until the window ends. */
export function windowAt(now: Date, windowMs: number): { start: string; leftMs: number } {
  const passed = now.getTime() % windowMs;
  return { start: new Date(now.getTime() - passed).toISOString(), leftMs: windowMs - passed };
}

export function tooMany(leftMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return new AppError('rate_limited', {
    data: { retryAfterSeconds },
    message: messages.common.rateLimited(retryAfterSeconds),
  });
}
