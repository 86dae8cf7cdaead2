import { PgDatabase, PgDialect, type PgTransaction, type PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import postgres from './driver.ts';
import { DrizzleSession, type TransactionWork } from './session.ts';

/** The database as the query builder sees it. No schema is registered: each query names its tables. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>, Record<string, never>>;
/** A transaction of the database. */
export type Transaction = PgTransaction<PostgresJsQueryResultHKT>;
/** The database or a transaction in it, for queries that run in either. */
export type Queryable = Database | Transaction;

export type DatabaseClient = {
  db: Database;
  /** The driver, for LISTEN and for SQL that the query builder cannot express well. */
  sql: Sql;
  close(): Promise<void>;
};

/** The default number of connections in a pool. */
export const CONNECTIONS = 10;
/** A command that waits longer than this for a lock answers `busy`. */
const LOCK_TIMEOUT_MS = 2_000;
/** Postgres closes a connection that is idle in a transaction for longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const TCP_USER_TIMEOUT_MS = 10_000;

/**
 * The planner settings of a pool. `forValues` plans a statement at each execution, with its values: for conditions with
 * lists of thousands of values, because Postgres hashes a list only if it is a constant. `byIndex` plans once and allows only
 * index scans: for statements that read the last rows of a growing table, whose statistics may be missing or old.
 */
export type Planning = 'forValues' | 'byIndex';
const PLANNING: Readonly<Record<Planning, Readonly<Record<string, string>>>> = {
  forValues: { plan_cache_mode: 'force_custom_plan' },
  byIndex: {
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    jit: 'off',
  },
};

/**
 * Connects to Postgres. Sessions run in UTC and with bounded waits.
 * @param options.max connections in the pool
 * @param options.statementTimeoutMs 0 for jobs without a limit (migrations, imports)
 * @param options.idleInTransactionMs 0 for a transaction that also waits for work outside the database (backups)
 * @param options.planning absent: Postgres chooses
 */
export function connect(
  url: string,
  options: {
    max?: number;
    statementTimeoutMs?: number;
    idleInTransactionMs?: number;
    name?: string;
    planning?: Planning;
  } = {},
): DatabaseClient {
  const sql = postgres(url, {
    max: options.max ?? CONNECTIONS,
    onnotice: () => {},
    backoff: secondsToReconnect,
    connection: {
      application_name: options.name ?? 'lintel',
      TimeZone: 'UTC',
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      tcp_user_timeout: TCP_USER_TIMEOUT_MS,
      ...(options.planning === undefined ? {} : PLANNING[options.planning]),
      // The cast: the driver's types allow only text here, but it sends numbers correctly.
    } as Record<string, string | number>,
  });
  // Dates and times stay text, and JSON is written by the query builder.
  for (const type of DATES) Object.assign(sql.options.parsers, { [type]: asText });
  for (const type of [...DATES, ...JSON_TYPES]) Object.assign(sql.options.serializers, { [type]: asText });
  const dialect = new PgDialect();
  const db: Database = new PgDatabase(dialect, new DrizzleSession(dialect, sql), undefined);
  return { db, sql, close: () => sql.end({ timeout: 5 }) };
}

/** Type ids (OIDs) in Postgres: date, timestamp and timestamptz, their arrays, and numeric[]. */
const DATES = [1082, 1114, 1184, 1182, 1115, 1185, 1231];
/** json and jsonb. */
const JSON_TYPES = [114, 3802];

function asText(value: unknown): unknown {
  return value;
}

/**
 * Runs a transaction, or a savepoint in one, whose work may send its commit together with its last statements.
 * @param work see `TransactionWork`; `db.transaction` is the same without `commit`
 */
export function inTransaction<Result>(
  db: Queryable,
  config: PgTransactionConfig,
  work: TransactionWork<Result>,
): Promise<Result> {
  return sessionOf(db).begin(config, work);
}

/**
 * The same transaction, for work whose results may be used only if `gate` resolves: its statements are sent at once, but
 * each answer waits for the gate. If the gate rejects, each statement rejects with the gate's error.
 */
export function behind(tx: Transaction, gate: Promise<unknown>): Transaction {
  return sessionOf(tx).behind(gate).asTransaction();
}

/** The session of a database or transaction that `connect` made. */
export function sessionOf(db: Queryable): DrizzleSession {
  const { session } = db._;
  if (!(session instanceof DrizzleSession)) throw new Error('a database that connect() did not make');
  return session;
}

/**
 * Seconds before the next attempt to connect. The driver's own rule counts the broken connections of the whole pool: after
 * one reset of ten connections, everyone would wait 20 s although the database is back.
 */
function secondsToReconnect(broken: number): number {
  return Math.min(1, 0.02 * 2 ** broken) * (0.5 + Math.random() / 2);
}
