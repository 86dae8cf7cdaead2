import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';

/** The longest wait for a lock, in ms. It is short, because later statements on the table queue behind the waiting one. */
const LOCK_WAIT_MS = 1_000;
const PAUSE_MS = 500;
/** A change that has not got its locks after this time, in ms, fails and is not tried again. */
const PATIENCE_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Runs a change of the schema in a transaction, while the system may be running. If the transaction does not get a lock within
 * a second, it is rolled back, so that other transactions can go on, and tried again.
 * @throws Error if the change does not get its locks within ten minutes
 */
export async function withLocks(sql: Sql, change: (tx: TransactionSql) => Promise<void>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
        await change(tx);
      });
      return;
    } catch (error) {
      if (!isOfLocks(error) || performance.now() > until) throw error;
      // At random intervals, so that the change does not collide with the same periodic work again and again.
      await pause(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

function isOfLocks(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK)
  );
}
