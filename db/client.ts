import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import postgres from './driver.ts';
import { schema } from './schema/index.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction of the database. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** The database or a transaction in it, for queries that run in either. */
export type Queryable = Database | Transaction;

export type DatabaseClient = {
  db: Database;
  /** The driver, for LISTEN and for SQL that the query builder cannot express well. */
  sql: Sql;
  close(): Promise<void>;
};

/** How long a command waits for a lock before it answers `busy`. The server ends idle transactions. */
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const TCP_USER_TIMEOUT_MS = 10_000;

/**
 * Connects to Postgres. Sessions run in UTC and with bounded waits.
 * @param options.max connections in the pool
 * @param options.statementTimeoutMs 0 for jobs without a limit (migrations, imports)
 * @param options.customPlans plans each statement for its values; pays off for searches in lists of thousands, which
 *   Postgres hashes only as a constant
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
      // The cast: the driver's types allow only text here, but it sends numbers correctly.
    } as Record<string, string | number>,
  });
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}

/**
 * Seconds before the next attempt to connect. The driver's own rule counts broken connections of the whole pool, so
 * that one reset of ten connections delays everyone by 20 s after the database is back.
 */
function secondsToReconnect(broken: number): number {
  return Math.min(1, 0.02 * 2 ** broken) * (0.5 + Math.random() / 2);
}
