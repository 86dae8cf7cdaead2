import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type postgresDriver from 'postgres';

// Repairs five bugs of the driver (3.4.9, the newest version), all about a connection that breaks. In a transaction,
// the rollback is written to a closed socket, which ends the process and cannot be caught. With a small write pending,
// the connection never writes again. Queries waiting for an answer get the first one of the next connection, and later
// ones get another's answer or none. A transaction that continues after the break writes into the next transaction of
// its connection. A break right after connecting is a rejection that cannot be caught. Fixes of the first two wait
// upstream (porsager/postgres#1168, #1208), so the few lines are patched into the source as it is loaded. The version
// is pinned; any other source is refused at the start.

type Repair = readonly [broken: string, mended: string];

// Also avoids a cost: the query builder sends its statements through `unsafe`, unprepared, so each is parsed again and
// takes two round trips, because the types of its parameters are asked first. The number of prepared statements is
// limited, because a list of values of another length is another statement.
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
    "if (q.cancelled)\n      return\n\n    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    try {\n      q.state",
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
];
const TRANSACTION: readonly Repair[] = [
  ['prepare: false,\n        ...options,\n', '...options,\n        prepare: args.length > 0,\n'],
  ['connection\n      , prepare = null\n', 'connection\n      , broken = null\n      , prepare = null\n'],
  ['connection.onclose = reject)', 'connection.onclose = error => reject(broken = error))'],
  [
    'q.catch(e => uncaughtError || (uncaughtError = e))\n',
    'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (broken)\n          return q.reject(broken)\n',
  ],
];

const require = createRequire(import.meta.url);
const entry = require.resolve('postgres');
loadMended(join(dirname(entry), 'connection.js'), CONNECTION);
// The cast: the package's own types describe its entry.
const postgres = loadMended(entry, TRANSACTION) as typeof postgresDriver;
export default postgres;

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
