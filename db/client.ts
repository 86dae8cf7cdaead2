import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import postgres from './driver.ts';
import { schema } from './schema/index.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** What commands and queries get: the database or a transaction in it. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
export type Queryable = Database | Transaction;

export type DatabaseClient = {
  db: Database;
  /** The driver, for LISTEN and for statements that no builder writes well. */
  sql: Sql;
  close(): Promise<void>;
};

/** A command waits this long for a lock, then answers `busy`; an idle transaction is ended by the server. */
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const TCP_USER_TIMEOUT_MS = 10_000;

/**
 * Connects to Postgres. Sessions run in UTC and with bounded waits.
 * @param options.max connections in the pool
 * @param options.statementTimeoutMs 0 for jobs without a bound (migrations, imports)
 * @param options.customPlans each statement is planned for its values: worth it where a list of thousands is searched,
 * which Postgres hashes only as a constant
 */
export function connect(
  url: string,
  options: { max?: number; statementTimeoutMs?: number; name?: string; customPlans?: boolean } = {},
): DatabaseClient {
  const sql = postgres(url, {
    max: options.max ?? 10,
    onnotice: () => {},
    backoff: secondsToReconnect,
    connection: {
      application_name: options.name ?? 'lintel',
      TimeZone: 'UTC',
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      tcp_user_timeout: TCP_USER_TIMEOUT_MS,
      ...(options.customPlans === true ? { plan_cache_mode: 'force_custom_plan' } : {}),
      // The driver cannot know that these settings are numbers on the wire too.
    } as Record<string, string | number>,
  });
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}

/**
 * The driver counts the broken connections of the whole pool, and by its own rule one reset of ten connections makes
 * everybody wait for 20 s after the database is back.
 */
function secondsToReconnect(broken: number): number {
  return Math.min(1, 0.02 * 2 ** broken) * (0.5 + Math.random() / 2);
}
