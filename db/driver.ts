import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type postgresDriver from 'postgres';

// Five faults of the driver (3.4.9, the newest), all of a connection that breaks. Inside a transaction, the rollback is
// written to a socket that is gone, which ends the process and cannot be caught; with a small write waiting the
// connection never writes again; what waited for an answer takes the first one of the connection's next life, and
// everything after it gets another's or none; a transaction that goes on after the break writes into whatever
// transaction its connection serves next; and a break just after connecting is a rejection that nobody can catch. Repairs of the first two wait upstream (porsager/postgres#1168, #1208), so
// the few lines are put into the text as it is loaded. The version is pinned: another text is refused at the start.

type Repair = readonly [broken: string, mended: string];

// And one cost: the query builder's statements come as `unsafe`, not prepared, so each is parsed anew and takes two round
// trips, because the types of its parameters are asked for first. The number of kept statements is bounded, since a
// list of values of another length is another statement.
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
// What the package's own types say of its entry.
const postgres = loadMended(entry, TRANSACTION) as typeof postgresDriver;
export default postgres;

/** Loads a module with repairs, before anybody else loads it as it is. */
function loadMended(path: string, repairs: readonly Repair[]): unknown {
  let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  for (const [broken, mended] of repairs) {
    if (text.split(broken).length !== 2) {
      throw new Error(`The text of postgres is not the one that db/driver.ts mends: ${path}`);
    }
    text = text.replace(broken, () => mended);
  }
  // Node's own way of making a module out of text; it is not in the published types.
  const module = new Module(path) as Module & { _compile(text: string, path: string): void };
  module.filename = path;
  module._compile(text, path);
  module.loaded = true;
  require.cache[path] = module;
  return module.exports;
}
