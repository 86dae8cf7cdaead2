import {
  Column,
  DrizzleQueryError,
  fillPlaceholders,
  getTableName,
  is,
  Placeholder,
  type Query,
  SQL,
  Subquery,
} from 'drizzle-orm';
import {
  type PgDialect,
  PgPreparedQuery,
  PgSession,
  PgTransaction,
  type PgTransactionConfig,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';
import { isStalePreparedStatement } from './stale-prepared-statement.ts';
import { noteStatement } from './statement-observer.ts';
import type { Begin } from './transactions.ts';

// Connects the query builder to the driver, in place of the builder's own session: transactions begin in one message
// with their first statement, a statement can be sent without the steps that build it (`statement.ts`), and rows are
// read by functions made once for each statement.

/** More tries than a pool has connections, because each connection may have forgotten its statements once. */
const TRIES = 30;
/** The extended protocol, which prepares statements even without parameters. The driver's types lack `simple`. */
const EXTENDED: { prepare?: boolean; simple: boolean } = { simple: false };

/** The text of a statement, and the functions that make its parameters and read its rows. */
export type Shape<Rows = unknown> = {
  text: string;
  /** Fills in the values of placeholders. */
  parameters(values: Record<string, unknown>): unknown[];
  /** Absent: rows are objects, as the driver makes them. */
  rows: ((answer: readonly unknown[][]) => Rows) | undefined;
  /** The text may contain several statements, which cannot be prepared. */
  simple: boolean;
};

/** The driver with the transactions of `transactions.ts`. */
type Pool = Omit<Sql, 'begin'> & { begin: Begin };

/** Work in a transaction. For `commit`, see `transactions.ts`. */
export type TransactionWork<Result> = (
  tx: PgTransaction<PostgresJsQueryResultHKT>,
  commit: () => Promise<void>,
) => Promise<Result>;

/** The session of the pool, or of a transaction. */
export class DrizzleSession extends PgSession<PostgresJsQueryResultHKT> {
  readonly #client: Pool | TransactionSql;
  readonly #gate: Promise<unknown> | undefined;

  constructor(dialect: PgDialect, client: Pool | TransactionSql, gate?: Promise<unknown>) {
    super(dialect);
    this.#client = client;
    this.#gate = gate;
  }

  /** The same session, whose statements are sent at once but answered only when the gate has resolved. */
  behind(gate: Promise<unknown>): DrizzleSession {
    gate.catch(() => undefined);
    return new DrizzleSession(this.dialect, this.#client, gate);
  }

  /** A transaction of the query builder on this session. */
  asTransaction(): PgTransaction<PostgresJsQueryResultHKT> {
    return new OpenTransaction(this.dialect, this, undefined);
  }

  override prepareQuery<T extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    _name: string | undefined,
    _isResponseInArrayMode: boolean,
    readAll?: (rows: unknown[][]) => T['execute'],
    metadata?: { type: 'select' | 'update' | 'delete' | 'insert'; tables: string[] },
  ): PgPreparedQuery<T> {
    return new PreparedQuery<T>(this, query, fields, readAll, metadata);
  }

  /** Sends a statement. It is already sent when this function returns. */
  run<Rows>(shape: Shape<Rows>, values: Record<string, unknown>): Promise<Rows> {
    const answer = this.#send(shape, values);
    // A failed statement makes its transaction fail with its error, so this rejection may stay unhandled.
    if ('savepoint' in this.#client) answer.catch(() => undefined);
    return answer;
  }

  async #send<Rows>(shape: Shape<Rows>, values: Record<string, unknown>): Promise<Rows> {
    const { text, simple, rows: read } = shape;
    const parameters = shape.parameters(values);
    const noteAnswer = noteStatement(text);
    try {
      // The cast: any value may be a parameter; the driver refuses what it cannot write.
      const query = this.#client.unsafe(text, parameters as never[], simple ? {} : EXTENDED);
      // `execute` sends the query at once; `await` alone would send it later.
      if (read === undefined) {
        const answer: unknown = await query.execute();
        noteAnswer?.();
        await this.#gate;
        return answer as Rows;
      }
      const answer = await query.values().execute();
      noteAnswer?.();
      await this.#gate;
      return read(answer);
    } catch (error) {
      noteAnswer?.(error);
      // If the gate rejects, its error takes precedence over that of the statement.
      await this.#gate;
      throw new DrizzleQueryError(text, parameters, error instanceof Error ? error : undefined);
    }
  }

  /**
   * Runs a transaction, or a savepoint within one.
   * @param work is called again, in a new transaction, if the connection has forgotten a prepared statement
   */
  async begin<Result>(config: PgTransactionConfig, work: TransactionWork<Result>): Promise<Result> {
    const client = this.#client;
    if ('savepoint' in client) {
      const result = await client.savepoint((inner) => work(this.#on(inner), () => Promise.resolve()));
      return result as Result;
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await client.begin(modeOf(config), (tx, commit) => work(this.#on(tx), commit));
      } catch (error) {
        if (tries === TRIES || !isStalePreparedStatement(error)) throw error;
      }
    }
  }

  override transaction<Result>(
    work: (tx: PgTransaction<PostgresJsQueryResultHKT>) => Promise<Result>,
    config: PgTransactionConfig = {},
  ): Promise<Result> {
    return this.begin(config, work);
  }

  #on(client: TransactionSql) {
    return new DrizzleSession(this.dialect, client, this.#gate).asTransaction();
  }
}

class OpenTransaction extends PgTransaction<PostgresJsQueryResultHKT> {
  override transaction<Result>(
    work: (tx: PgTransaction<PostgresJsQueryResultHKT>) => Promise<Result>,
  ): Promise<Result> {
    return this._.session.transaction(work);
  }
}

function modeOf({ isolationLevel, accessMode }: PgTransactionConfig): string {
  return [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ');
}

/** The shape of a statement that the query builder has prepared. */
export function shapeOf<Rows>(
  prepared: PgPreparedQuery<PreparedQueryConfig & { execute: Rows }>,
): Shape<Rows> {
  if (!(prepared instanceof PreparedQuery))
    throw new Error('a statement of a database that connect() did not make');
  return prepared.shape();
}

/** The shape of SQL, whose rows are objects as the driver makes them. */
export function shapeOfSql<Rows>({ sql: text, params }: Query): Shape<Rows> {
  return { text, parameters: parametersOf(params), rows: undefined, simple: false };
}

function parametersOf(params: unknown[]): Shape['parameters'] {
  return params.some(hasPlaceholder) ? (values) => fillPlaceholders(params, values) : () => params;
}

/** A statement as the query builder makes it. */
class PreparedQuery<T extends PreparedQueryConfig> extends PgPreparedQuery<T> {
  readonly #session: DrizzleSession;
  readonly #fields: SelectedFieldsOrdered | undefined;
  readonly #readAll: ((rows: unknown[][]) => T['execute']) | undefined;
  readonly #isRaw: boolean;
  /** Set by the query builder: for each joined table, whether it certainly has a row. */
  joinsNotNullableMap: Record<string, boolean> | undefined;

  constructor(
    session: DrizzleSession,
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    readAll: ((rows: unknown[][]) => T['execute']) | undefined,
    metadata: ConstructorParameters<typeof PgPreparedQuery>[2],
  ) {
    super(query, undefined, metadata);
    this.#session = session;
    this.#fields = fields;
    this.#readAll = readAll;
    this.#isRaw = metadata === undefined;
  }

  shape(): Shape<T['execute']> {
    const { sql: text, params } = this.query;
    const readAll = this.#readAll;
    return {
      text,
      parameters: parametersOf(params),
      rows:
        readAll !== undefined
          ? (rows) => readAll([...rows])
          : this.#fields && rowReader(this.#fields, this.joinsNotNullableMap),
      simple: this.#isRaw && params.length === 0,
    };
  }

  override execute(values: Record<string, unknown> = {}): Promise<T['execute']> {
    return this.#session.run(this.shape(), values);
  }
}

function hasPlaceholder(parameter: unknown): boolean {
  if (typeof parameter !== 'object' || parameter === null) return false;
  return is(parameter, Placeholder) || ('value' in parameter && is(parameter.value, Placeholder));
}

type Decode = (value: unknown) => unknown;

/**
 * Makes the function that turns the driver's rows into objects, with one level of nesting. A nested object is null if
 * its table was joined without a row.
 */
function rowReader(
  fields: SelectedFieldsOrdered,
  joins: Record<string, boolean> = {},
): (rows: readonly unknown[][]) => Record<string, unknown>[] {
  const columns = fields.map(({ path, field }, index) => ({
    index,
    field,
    group: path.length > 1 ? path[0] : undefined,
    name: path.at(-1) ?? '',
    decode: decoderOf(field),
  }));
  if (fields.some(({ path }) => path.length > 2)) throw new Error('rows are nested one level at most');
  const groups = [...new Set(columns.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  const absences = groups.map((group) => ({
    group,
    isAbsent: absenceOf(
      columns.filter((one) => one.group === group),
      joins,
    ),
  }));

  function read(row: readonly unknown[]): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const parts: Record<string, Record<string, unknown>> = {};
    for (const { index, group, name, decode } of columns) {
      const raw = row[index];
      const value = raw === null || decode === undefined ? raw : decode(raw);
      if (group === undefined) {
        result[name] = value;
        continue;
      }
      const part = parts[group] ?? {};
      parts[group] = part;
      result[group] = part;
      part[name] = value;
    }
    for (const { group, isAbsent } of absences) if (isAbsent(row)) result[group] = null;
    return result;
  }
  return (rows) => rows.map(read);
}

/**
 * Makes the function that decides whether a joined table has no row: if all columns of the object are of one table, and the
 * first column is null.
 */
function absenceOf(
  columns: readonly { index: number; field: unknown }[],
  joins: Record<string, boolean>,
): (row: readonly unknown[]) => boolean {
  const own = columns.flatMap(({ index, field }) =>
    is(field, Column) ? [{ index, table: getTableName(field.table) }] : [],
  );
  const [first] = own;
  const isOne = first !== undefined && own.every(({ table }) => table === first.table);
  if (!isOne || joins[first.table] === true) return () => false;
  return (row) => row[first.index] === null;
}

function decoderOf(field: SelectedFieldsOrdered[number]['field']): Decode | undefined {
  // The cast: the query builder's types hide the decoder of an expression.
  const decoder = is(field, Column) ? field : (Reflect.get(expressionOf(field), 'decoder') as Column);
  const { mapFromDriverValue } = decoder;
  return mapFromDriverValue === Column.prototype.mapFromDriverValue
    ? undefined
    : (value) => decoder.mapFromDriverValue(value);
}

function expressionOf(field: Exclude<SelectedFieldsOrdered[number]['field'], Column>): SQL {
  if (is(field, SQL)) return field;
  return is(field, Subquery) ? field._.sql : field.sql;
}
