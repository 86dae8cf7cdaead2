import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';

/** Longest wait for a lock in ms. Later statements on a table queue behind one that waits for its lock. */
const LOCK_WAIT_MS = 1_000;
const PAUSE_MS = 500;
/** After this time a change that gets no lock fails instead of being tried again for ever. */
const PATIENCE_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Runs a change of the schema in a transaction, beside a running system: one that does not get its locks at once lets
 * others pass, and is tried again.
 * @throws Error if it has not got its locks within ten minutes
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
      // At random intervals, so that it does not keep colliding with periodic work.
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
