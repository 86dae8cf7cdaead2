import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type postgresDriver from 'postgres';
import type { Options, Sql } from 'postgres';
import { type Begin, beginOn, type DriverPool } from './transactions.ts';

// Repairs bugs of the driver (3.4.9, the newest version), all about a connection that breaks or a statement that cannot
// be sent. With a small write pending when it breaks, the connection never writes again. Queries waiting for an answer
// get the first one of the next connection, and later ones get another's answer or none. A break right after connecting
// is a rejection that cannot be caught. A value that cannot be serialised rejects the previous statement instead of its
// own. Fixes of the first two wait upstream (porsager/postgres#1168, #1208), so the few lines are patched into the
// source as it is loaded. The version is pinned; any other source is refused at the start. The driver's transactions
// have two more such bugs and wait for each answer, so they are replaced (`transactions.ts`).

type Repair = readonly [broken: string, mended: string];

// The repairs also save time. The query builder sends its statements through `unsafe`, unprepared, so each is parsed
// again and takes two round trips, because the driver first asks for the types of its parameters. The number of prepared
// statements is limited, because a list of values makes another statement for each length. And a transaction begins in
// the same message as its first statement: if that message fails, no part of it has an effect.
const PREPARED_MAX = 500;

const CONNECTION: readonly Repair[] = [
  [
    'clearImmediate(nextWriteTimer)\n    socket.removeListener',
    'clearImmediate(nextWriteTimer)\n    nextWriteTimer = chunk = null\n    socket.removeListener',
  ],
  [
    'clearImmediate(nextWriteTimer)\n    if (socket)',
    'clearImmediate(nextWriteTimer)\n    nextWriteTimer = chunk = null\n    if (socket)',
  ],
  [
    'if (q.cancelled)\n      return\n\n    try {\n      q.state',
    "if (q.cancelled)\n      return\n\n    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (query !== null && query.describeFirst)\n      return (late.push(q), false)\n\n    try {\n      q.state",
  ],
  [
    'function nextWrite(fn) {\n',
    'function nextWrite(fn) {\n    if (socket === null)\n      return (chunk = nextWriteTimer = null, true)\n',
  ],
  [
    "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    ";(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = errorResponse = null\n",
  ],
  ['return fetchArrayTypes()\n', 'return fetchArrayTypes().catch(() => { needsTypes = true })\n'],
  [
    "q.prepare = options.prepare && ('prepare' in q.options ? q.options.prepare : true)\n",
    `q.prepare = options.prepare && ('prepare' in q.options ? q.options.prepare : true) && (statementCount < ${PREPARED_MAX} || types + string in statements)\n`,
  ],
  // All messages of one turn of the event loop are sent together, up to 64 KiB instead of 1 KiB.
  ['if (fn || chunk.length >= 1024)\n', 'if (fn || chunk.length >= 65536)\n'],
  // A query counts as sent only when its whole message is made, which can fail.
  [
    'q.state = backend\n      query\n        ? sent.push(q)\n        : (query = q, query.active = true)\n\n      build(q)\n      return write(toBuffer(q))\n',
    'q.state = backend\n      build(q)\n      const message = toBuffer(q)\n      query\n        ? sent.push(q)\n        : (query = q, query.active = true)\n      q.options.onexecute && q.options.onexecute(connection, q)\n      return write(message)\n',
  ],
  [
    '&& (!q.options.onexecute || q.options.onexecute(connection))\n    } catch (error) {\n      sent.length === 0 && write(Sync)\n      errored(error)\n',
    '&& !q.options.onexecute\n    } catch (error) {\n      query === null && sent.length === 0 && write(Sync)\n      queryError(q, error)\n',
  ],
  [
    'function toBuffer(q) {\n',
    `function toBuffer(q) {
    const own = messageOf(q)
    return q.options.begin
      ? Buffer.concat([Parse(q.options.begin, [], []), Bind([], []), b().E().str(b.N).i32(0).end(), own])
      : own
  }

  function messageOf(q) {
`,
  ],
  [
    'function CommandComplete(x) {\n    rows = 0\n',
    'function CommandComplete(x) {\n    rows = 0\n\n    if (query.options.begin && !query.begun)\n      return (query.begun = true, result = new Result(), undefined)\n',
  ],
  // A connection that has forgotten one prepared statement has forgotten all. In a transaction the statement cannot be
  // retried alone. Outside it is retried when no other query is under way, because nothing may be sent behind a statement
  // whose parameter types are being asked for: the driver's own retry never answers the second of several.
  [
    '? retry(query, errorResponse)\n',
    '? (statements = {}, connection.reserved ? errored(errorResponse) : retry(query, errorResponse))\n',
  ],
  ['    q.retried = error\n    execute(q)\n', '    q.retried = error\n    late.push(q)\n'],
  ['    , final = null\n', '    , final = null\n    , late = []\n'],
  [
    'if (query)\n      return // Consider',
    'while (!query && late.length)\n      execute(late.shift())\n\n    if (query)\n      return // Consider',
  ],
  [
    'while (sent.length)\n      queryError(sent.shift(), err)\n',
    'while (sent.length)\n      queryError(sent.shift(), err)\n    while (late.length)\n      queryError(late.shift(), err)\n',
  ],
];
const ENTRY: readonly Repair[] = [
  [
    'prepare: false,\n        ...options,\n',
    '...options,\n        prepare: args.length > 0 || options.simple === false,\n',
  ],
  [
    '    PostgresError,\n    options,\n',
    '    pool: { handler, move, Sql, reserved, full },\n    PostgresError,\n    options,\n',
  ],
];

const require = createRequire(import.meta.url);
const entry = require.resolve('postgres');
loadMended(join(dirname(entry), 'connection.js'), CONNECTION);
// The cast: the package's own types describe its entry without `pool`, which a repair adds.
const driver = loadMended(entry, ENTRY) as (
  ...args: Parameters<typeof postgresDriver>
) => Sql & { pool: DriverPool };

/** Connects like the driver's own function. `begin` is ours. */
export default function postgres(
  url: string,
  options: Options<Record<string, never>>,
): Sql & { begin: Begin } {
  const sql = driver(url, options);
  return Object.assign(sql, { begin: beginOn(sql.pool) });
}

/** Loads a module with repairs, before any other code loads the original. */
function loadMended(path: string, repairs: readonly Repair[]): unknown {
  let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  for (const [broken, mended] of repairs) {
    if (text.split(broken).length !== 2) {
      throw new Error(`The text of postgres is not the one that db/driver.ts mends: ${path}`);
    }
    text = text.replace(broken, () => mended);
  }
  // Node's own way to make a module from text, which is not in its published types.
  const module = new Module(path) as Module & { _compile(text: string, path: string): void };
  module.filename = path;
  module._compile(text, path);
  module.loaded = true;
  require.cache[path] = module;
  return module.exports;
}
