/** Waited too long, was ended, or met another transaction: another try may well succeed. */
const BUSY = new Set([
  '55P03', // lock_not_available (lock_timeout)
  '57014', // query_canceled (statement_timeout)
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '25P03', // idle_in_transaction_session_timeout
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '08006', // connection_failure
  // What the driver and the operating system say when there is no connection.
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/** The database answers, but takes nothing: its disk is full or broken, or it is a replica. */
const UNWRITABLE = new Set([
  '53100', // disk_full
  '58030', // io_error
  '25006', // read_only_sql_transaction
]);

/** Well-formed JSON that no column can hold: a NUL in a text, a number without end, a day of the year nought. */
const UNSTORABLE = new Set(['22021', '22P05', '22003', '22007', '22008']);

/** An operation that failed only because the database is occupied or away. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY) || isUnwritable(error);
}

/** A save that failed because the database can write nothing at present. */
export function isUnwritable(error: unknown): boolean {
  return hasCode(error, UNWRITABLE);
}

/** A value that the database refuses whatever the rules say. */
export function isUnstorable(error: unknown): boolean {
  return hasCode(error, UNSTORABLE);
}

/** Breaks a unique constraint; with `constraint`, that one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  for (const one of causes(error)) {
    if (textAt(one, 'code') === '23505') {
      return constraint === undefined || textAt(one, 'constraint_name') === constraint;
    }
  }
  return false;
}

/** Cannot be deleted, because other rows refer to it. */
export function isReferenced(error: unknown): boolean {
  return hasCode(error, new Set(['23503']));
}

/** What the log may hold of an error: where and what kind, never statements' parameters or row values. */
export function describeError(error: unknown): Record<string, unknown>[] {
  return [...causes(error)].map((one) => {
    // The query builder's message and the database's detail repeat what people typed.
    const isQuery = textAt(one, 'query') !== undefined;
    const code = textAt(one, 'code');
    // Data exceptions quote the value; the other classes quote names of ours.
    const message = code?.startsWith('22') === true ? one.message.replace(/".*"/su, '"…"') : one.message;
    return {
      name: one.name,
      message: isQuery ? 'a statement failed' : message.slice(0, 500),
      code,
      constraint: textAt(one, 'constraint_name'),
      query: textAt(one, 'query')?.slice(0, 2_000),
      at: one.stack
        ?.split('\n')
        .filter((line) => line.startsWith('    at '))
        .slice(0, 12),
    };
  });
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (const one of causes(error)) {
    const code = textAt(one, 'code');
    if (code !== undefined && codes.has(code)) return true;
  }
  return false;
}

function* causes(error: unknown): Generator<Error> {
  let one = error;
  for (let depth = 0; one instanceof Error && depth < 8; depth += 1) {
    yield one;
    one = one.cause;
  }
}

function textAt(error: Error, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : undefined;
}
