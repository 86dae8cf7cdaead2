/** The connection broke, so it is not known how far a statement under way got. */
const BROKEN = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '08006', // connection_failure
  // Codes of the driver and the operating system.
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

/** Timeouts, missing connections and conflicts with other transactions: a retry may succeed. */
const BUSY = new Set([
  ...BROKEN,
  '55P03', // lock_not_available (lock_timeout)
  '57014', // query_canceled (statement_timeout)
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '25P03', // idle_in_transaction_session_timeout
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
  // Codes of the driver and the operating system.
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
]);

/** The database answers but cannot write: its disk is full or broken, or it is a replica. */
const UNWRITABLE = new Set([
  '53100', // disk_full
  '58030', // io_error
  '25006', // read_only_sql_transaction
]);

/** Values that are valid JSON but fit no column: NUL in text, a number out of range, an invalid date. */
const UNSTORABLE = new Set(['22021', '22P05', '22003', '22007', '22008']);

/** Returns whether an operation failed only because the database is busy, unreachable or unable to write. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY) || isUnwritable(error);
}

/** Returns whether the connection to the database broke, which leaves open whether a commit under way was carried out. */
export function isBroken(error: unknown): boolean {
  return hasCode(error, BROKEN);
}

/** Returns whether a write failed because the database cannot write at present. */
export function isUnwritable(error: unknown): boolean {
  return hasCode(error, UNWRITABLE);
}

/** Returns whether the database rejected a value that the input schema had accepted. */
export function isUnstorable(error: unknown): boolean {
  return hasCode(error, UNSTORABLE);
}

/** Returns whether a unique constraint was violated; with `constraint`, whether it was that one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  for (const one of causes(error)) {
    if (textAt(one, 'code') === '23505') {
      return constraint === undefined || textAt(one, 'constraint_name') === constraint;
    }
  }
  return false;
}

/** Returns whether a row could not be deleted because other rows refer to it. */
export function isReferenced(error: unknown): boolean {
  return hasCode(error, new Set(['23503']));
}

/** Describes an error for the log: kind and location, never parameters of statements or values of rows. */
export function describeError(error: unknown): Record<string, unknown>[] {
  return [...causes(error)].map((one) => {
    // The query builder's message and the database's detail contain what people typed.
    const isQuery = textAt(one, 'query') !== undefined;
    const code = textAt(one, 'code');
    // Data exceptions (class 22) quote the value; other classes quote only names from the schema.
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
