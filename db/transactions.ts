import type { TransactionSql } from 'postgres';

// Transactions that replace the driver's own. They save round trips: `begin` is sent with the first statement, statements are
// sent without waiting for the answers to earlier statements, and `commit` may be sent directly after the last statement.
// Postgres skips all statements after a failed one and answers their commit with ROLLBACK.

/** A query of the driver. */
type Query = Promise<{ command: string }> & {
  readonly strings: readonly string[];
  readonly options: {
    simple?: boolean;
    /** The text that begins the transaction, sent in front of the query in the same message. */
    begin?: string;
    onexecute?(connection: Connection, query: Query): void;
  };
  /** The driver first asks for the types of the query's parameters, so no other query may be sent after it. */
  readonly describeFirst: boolean;
  resolve(result: { command: string }): void;
  reject(error: unknown): void;
};

/** A connection of the driver. */
type Connection = {
  readonly queue: unknown;
  /** Called when the connection is ready and no query is sent; null outside transactions. */
  reserved: (() => void) | null;
  onclose: ((error: Error) => void) | null;
  /** Sends a query; false if no other query may be sent before its answer has arrived. */
  execute(query: Query): boolean;
};

/** The parts of the driver's pool that transactions need. */
export type DriverPool = {
  /** Sends a query on any connection. */
  handler(query: Query): void;
  move(connection: Connection, queue: unknown): void;
  /** Makes the functions of `sql` for a handler of queries. */
  Sql(handler: (query: Query) => void): { unsafe(text: string): Query } & TransactionSql;
  reserved: unknown;
  full: unknown;
};

type Work<Result> = (tx: TransactionSql, commit: () => Promise<void>) => Result | Promise<Result>;

/**
 * A transaction. `mode` is the text after `begin`.
 * @param work runs the statements. It may call `commit` once, after its last statement and without waiting for the answers:
 *   the commit is then sent together with that statement. Otherwise the commit is sent after `work` has ended.
 * @returns what `work` returns, after the commit
 * @throws what `work` throws, after the rollback; the error of the first failed statement if later ones failed only
 *   because of it; CONNECTION_CLOSED and the like if the connection breaks
 */
export type Begin = {
  <Result>(work: Work<Result>): Promise<Result>;
  <Result>(mode: string, work: Work<Result>): Promise<Result>;
};

export function beginOn(pool: DriverPool): Begin {
  function begin<Result>(...args: [Work<Result>] | [string, Work<Result>]): Promise<Result> {
    const [mode, work] = args.length === 1 ? ['', args[0]] : args;
    return run(pool, `begin ${mode}`.trim(), work);
  }
  return begin;
}

async function run<Result>(pool: DriverPool, begin: string, work: Work<Result>): Promise<Result> {
  const line = createLine(pool, begin);
  const scope = createScope(pool, line);
  let committed: Promise<void> | undefined;
  const commit = () => {
    committed ??= line.commit().finally(scope.rethrow);
    // `run` reports the rejection after the work has ended.
    committed.catch(() => undefined);
    return committed;
  };
  try {
    const result = await Promise.race([work(scope.tx, commit), line.broken]);
    // A failed statement makes the transaction fail, even if the work ignored the error.
    if (committed === undefined) scope.rethrow();
    await commit();
    return result;
  } catch (error) {
    // First waits for a commit that was already sent: if it succeeds, there is nothing to roll back.
    await committed?.catch(() => undefined);
    await line.rollback();
    throw scope.explain(error);
  }
}

type Scope = {
  tx: TransactionSql;
  /** Throws the error of the first failed statement, if one failed. */
  rethrow(): void;
  /** If an error says only that an earlier statement has failed, returns the error of that statement instead. */
  explain(error: unknown): unknown;
};

/** The statements of a transaction, or of a savepoint in it. */
function createScope(pool: DriverPool, line: Line): Scope {
  let failed: { error: unknown } | undefined;
  const tx = pool.Sql((query) => {
    query.catch((error: unknown) => {
      failed ??= { error };
    });
    line.add(query);
  });
  async function savepoint<Result>(work: (inner: TransactionSql) => Promise<Result>): Promise<Result> {
    const name = line.nextSavepoint();
    await tx.unsafe(`savepoint ${name}`);
    const inner = createScope(pool, line);
    try {
      const result = await work(inner.tx);
      inner.rethrow();
      return result;
    } catch (error) {
      await tx.unsafe(`rollback to ${name}`);
      throw inner.explain(error);
    }
  }
  const scope: Scope = {
    tx: Object.assign(tx, { savepoint }) as TransactionSql,
    rethrow() {
      if (failed !== undefined) throw failed.error;
    },
    explain: (error) => (failed !== undefined && isAborted(error) ? failed.error : error),
  };
  return scope;
}

/** in_failed_sql_transaction, also as the cause of the query builder's error. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && (Reflect.get(error, 'code') === '25P02' || isAborted(error.cause));
}

/** The order in which the statements of a transaction reach its connection. */
type Line = {
  add(query: Query): void;
  /** @throws Error if Postgres rolled back, or what the database answers, such as an error of a deferred trigger */
  commit(): Promise<void>;
  /** Does nothing after a commit, before the first statement, and if the connection is broken. Never rejects. */
  rollback(): Promise<void>;
  /** Rejects when the connection breaks; never resolves. */
  broken: Promise<never>;
  nextSavepoint(): string;
};

function createLine(pool: DriverPool, begin: string): Line {
  let stage: 'new' | 'beginning' | 'begun' | 'over' = 'new';
  let connection: Connection | undefined;
  /** The error after which no more queries can be sent. */
  let failure: { error: unknown } | undefined;
  /** Queries that wait until the connection accepts another query. */
  const waiting: Query[] = [];
  /**
   * Queries that wait until the transaction has begun, because after a failed `begin` they would change data outside a
   * transaction. Reads do not wait: after a failed `begin`, the result of the work is never returned.
   */
  const held: Query[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  let savepoints = 0;
  let breaks: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    breaks = reject;
  });
  broken.catch(() => undefined);

  function start(first: Query): void {
    stage = 'beginning';
    let opening = first;
    if (first.options.simple === true) {
      // The text may contain several statements, and `begin` cannot be sent in the same message before several statements.
      held.push(first);
      opening = pool.Sql((query) => pool.handler(query)).unsafe(begin);
    } else {
      first.options.begin = begin;
    }
    opening.options.onexecute = take;
    begun = opening.then(
      () => {
        if (stage === 'beginning') stage = 'begun';
        for (const query of held.splice(0)) send(query);
      },
      (error: unknown) => fail(error),
    );
    if (opening === first) pool.handler(first);
  }

  function take(taken: Connection, query: Query): void {
    connection = taken;
    taken.reserved = next;
    taken.onclose = (error) => {
      fail(error);
      breaks(error);
    };
    pool.move(taken, pool.reserved);
    if (query.describeFirst) return;
    // In a microtask, because the pool itself moves the connection after this call.
    queueMicrotask(() => {
      if (isOurs() && taken.queue === pool.full) next();
    });
  }

  function isOurs(): boolean {
    return connection !== undefined && connection.reserved === next;
  }

  function next(): void {
    if (connection === undefined) return;
    let ready = true;
    while (ready) {
      const query = waiting.shift();
      if (query === undefined) break;
      ready = connection.execute(query);
    }
    pool.move(connection, ready ? pool.reserved : pool.full);
  }

  function send(query: Query): void {
    if (failure !== undefined) query.reject(failure.error);
    else sendOn(connection, query);
  }

  function sendOn(on: Connection | undefined, query: Query): void {
    if (on === undefined || on.queue === pool.full) waiting.push(query);
    else if (!on.execute(query)) pool.move(on, pool.full);
  }

  function fail(error: unknown): void {
    failure ??= { error };
    for (const query of [...waiting.splice(0), ...held.splice(0)]) query.reject(error);
  }

  return {
    broken,
    nextSavepoint: () => `s${savepoints++}`,
    add(query) {
      if (failure !== undefined) query.reject(failure.error);
      else if (stage === 'over') query.reject(new Error('a statement came after the end of its transaction'));
      else if (stage === 'new') start(query);
      else if (stage === 'beginning' && !isRead(query)) held.push(query);
      else send(query);
    },
    async commit() {
      // The handler gets this commit after all statements that were handed over before it.
      const { command } = await pool
        .Sql((query) => {
          if (stage === 'new') query.resolve({ command: 'COMMIT' });
          else if (stage === 'beginning') held.push(query);
          else send(query);
          stage = 'over';
        })
        .unsafe('commit');
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    },
    async rollback() {
      // Statements that were handed over just before this call must reach the line first.
      await Promise.resolve();
      stage = 'over';
      await begun;
      if (!isOurs()) return;
      fail(new Error('the transaction was rolled back'));
      await pool
        .Sql((query) => sendOn(connection, query))
        .unsafe('rollback')
        .catch(() => undefined);
    },
  };
}

function isRead({ strings: [text = ''] }: Query): boolean {
  return /^\s*select\b/i.test(text);
}
