import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createRandom, type Random, seedOf } from '#tests/support/random.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createManyAssets } from '#tests/support/rows/many-assets.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A well-formed call is answered without tRPC's adapter, which answers all others. The adapter also answers every request
// with connection parameters, even `null`: so each request here is sent with and without them, and both answers must agree.

const SEED = seedOf('20261123');
const REQUESTS = 250;
const TO_ADAPTER = 'connectionParams=null';
const NO_LIMIT = { burst: 1_000_000, perSecond: 10_000 };
/** Headers that differ between any two answers, or describe the transfer of the body: the adapter's body is a stream. */
const OWN_HEADERS = ['date', 'x-server-time', 'content-length', 'content-encoding', 'transfer-encoding'];

type Call = { method: string; path: string; query: string; headers: Record<string, string>; body?: string };
type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

let database: TestDatabase;
let server: TestServer;
let cookies: string[];
let buildingId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { limits: { person: NO_LIMIT, anonymous: NO_LIMIT } });
  buildingId = (await createBuilding(server.services)).id;
  const people = await Promise.all(
    (['admin', 'viewer'] as const).map((role) =>
      createPerson(server.services, { role, buildings: [buildingId] }),
    ),
  );
  cookies = await Promise.all(people.map((person) => signInAs(server, person)));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

function send({ method, path, query, headers, body }: Call, url = server.url): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request(
      { hostname, port, method, path: `/trpc/${path}${query === '' ? '' : `?${query}`}`, headers },
      (answer) => {
        buffer(answer).then((bytes) => {
          const { statusCode: status, headers } = answer;
          resolve({ status, headers, body: decompressed(bytes, headers).toString() });
        }, reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

function decompressed(bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Buffer {
  if (encoding === undefined || bytes.length === 0) return bytes;
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

function byAdapter(call: Call): Call {
  return { ...call, query: call.query === '' ? TO_ADAPTER : `${call.query}&${TO_ADAPTER}` };
}

/** The adapter's answers are streams, whose length is not known when they begin. */
const isDirect = ({ headers }: Answer) => headers['content-length'] !== undefined;

/** Everything of an answer that must be the same. */
function comparable({ status, headers, body }: Answer) {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  // Only an answer that is compressed depends on what the client accepts.
  const vary = headers.vary?.replace(/, accept-encoding$/i, '');
  // Transactions of the server itself assign positions to events between two answers. So the content of a snapshot is
  // compared, but not its position (see `server/live/snapshot.ts`).
  const same = body.replaceAll(/"(asOf|digest|visible)":"[^"]*"/g, '"$1":""');
  return { status, headers: { ...Object.fromEntries(kept), vary }, body: same };
}

const ODD_INPUTS = [
  '',
  '{',
  'null',
  '[]',
  '[1]',
  '"text"',
  '0',
  '{"0":{}}',
  '{"__proto__":{"a":1}}',
  '\ufeff{}',
];
const ODD_PATHS = [
  '',
  ',',
  'nothing.here',
  'session',
  '__proto__',
  'session.me,',
  'session.me/x',
  'live.stream',
];
const ODD_HEADERS: readonly Record<string, string>[] = [
  { accept: 'application/jsonl' },
  { accept: 'text/html, application/jsonl;q=0.5' },
  { 'trpc-accept': 'application/jsonl' },
  { 'trpc-accept': '' },
  { 'content-type': 'Application/JSON' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'application/octet-stream' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { origin: 'https://evil.example' },
  { 'x-app': '2' },
  { 'x-person': uuidv7() },
  { host: '127.0.0.1:99999' },
  { host: '999.1.1.1' },
  { 'sec-fetch-site': 'cross-site' },
];

/** The called procedures, each with valid and invalid inputs. A save is repeated under one operation id. */
function knownCalls(): Readonly<Record<string, { method: string; inputs: readonly unknown[] }>> {
  const issue = { operationId: uuidv7(), id: uuidv7(), buildingId, title: 'Lamp is out' };
  const list = { filter: { statuses: ['open'] }, limit: 5 };
  return {
    'session.me': { method: 'GET', inputs: [undefined, { odd: 1 }] },
    'session.active': { method: 'GET', inputs: [undefined, null, 'odd'] },
    'issues.list': { method: 'GET', inputs: [list, { filter: {}, limit: -1 }, { filter: 7 }, undefined] },
    'issues.counts': { method: 'GET', inputs: [{ filter: {} }, { filter: { search: 'a&b=c+d %41 é' } }, []] },
    'issues.get': { method: 'GET', inputs: [{ id: issue.id }, { id: uuidv7() }, { id: 'x' }] },
    'users.list': { method: 'GET', inputs: [{}, undefined] },
    'issues.create': { method: 'POST', inputs: [issue, { ...issue, title: '' }, {}, null] },
    'users.renameMe': { method: 'POST', inputs: [{ firstName: '' }, undefined] },
  };
}

function anyCall(random: Random, known: ReturnType<typeof knownCalls>): Call {
  const odd = (share: number) => random.chance(share);
  const count = random.pick([1, 1, 1, 1, 2, 2, 3, 3, 20, 21]);
  const batched = count > 1 || odd(0.4);
  const method = random.pick(['GET', 'POST'] as const);
  // A query whose input is too long for a URL is posted.
  const usual = method === 'POST' && odd(0.4) ? 'GET' : method;
  const names = Object.keys(known).filter((name) => known[name]?.method === usual || odd(0.06));
  const paths = Array.from({ length: count }, () =>
    odd(0.03) ? random.pick(ODD_PATHS) : random.pick(names),
  );
  const inputs = paths.map(
    (path) => random.pick((known[path]?.inputs ?? [undefined]).map((input) => [input]))[0],
  );
  const right = batched ? JSON.stringify(Object.fromEntries(inputs.entries())) : JSON.stringify(inputs[0]);
  const input = odd(0.1) ? random.pick(ODD_INPUTS) : right;
  const params = [
    ...(batched !== odd(0.03) ? [`batch=${odd(0.03) ? '0' : '1'}`] : []),
    ...(method === 'GET' && input !== undefined ? [`input=${encodeURIComponent(input)}`] : []),
    ...(odd(0.03) ? [random.pick(['input=%zz', 'batch=1', 'x', '%', 'input=', 'input=%7B%7D'])] : []),
  ];
  const sent = odd(0.03) ? random.pick(['GET', 'POST', 'HEAD', 'PUT']) : method;
  return {
    method: sent,
    path: paths.join(odd(0.05) ? '%2C' : ','),
    query: params.join('&'),
    headers: {
      ...headersFor(server.url, odd(0.1) ? undefined : random.pick(cookies)),
      'accept-encoding': random.pick(['identity', 'gzip', 'gzip, deflate, br']),
      ...(sent === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(odd(0.15) ? random.pick(ODD_HEADERS) : {}),
    },
    ...(sent === 'POST' && input !== undefined ? { body: input } : {}),
  };
}

test('a call is answered as the adapter of tRPC would answer it', async () => {
  const random = createRandom(SEED);
  const known = knownCalls();
  const seen = { direct: 0, statuses: new Set<number | undefined>() };
  // The first call is fixed, because this case is too rare to be left to chance.
  const headers = { ...headersFor(server.url, cookies[0]), 'accept-encoding': 'identity' };
  const commandByGet: Call = { method: 'GET', path: 'users.renameMe', query: '', headers };
  for (let n = 0; n < REQUESTS; n += 1) {
    const call = n === 0 ? commandByGet : anyCall(random, known);
    const [own, adapters] = [await send(call), await send(byAdapter(call))];
    const what = `seed ${SEED}, request ${n}: ${JSON.stringify(call)}`;
    // The lines of a stream are in the order in which its calls end, which may differ.
    const ordered = !JSON.stringify(call.headers).includes('jsonl') || !call.path.includes(',');
    if (ordered) expect(comparable(own), what).toEqual(comparable(adapters));
    if (isDirect(own) && !isDirect(adapters)) seen.direct += 1;
    seen.statuses.add(own.status);
  }
  // Otherwise the adapter would have been compared with itself, or errors with errors.
  expect(seen.direct).toBeGreaterThan(REQUESTS / 3);
  expect([...seen.statuses]).toEqual(expect.arrayContaining([200, 207, 400, 401, 403, 404, 405, 415]));
});

test('a call over the limit is refused as by the adapter, each call of a batch for itself', async () => {
  const limit = { burst: 3, perSecond: 0.001 };
  const limited = await startTestServer(database, { limits: { person: limit, anonymous: limit } });
  const headers = { ...headersFor(limited.url, cookies[0]), 'accept-encoding': 'identity' };
  const call = { method: 'GET', path: 'session.active,session.me', query: 'batch=1', headers };
  await send(call, limited.url);
  const [own, adapters] = [await send(call, limited.url), await send(byAdapter(call), limited.url)];
  expect([isDirect(own), isDirect(adapters)]).toEqual([true, false]);
  expect(own.status).toBe(429);
  expect(own.body.match(/"session\.(active|me)"/g)).toHaveLength(2);
  expect(comparable(own)).toEqual(comparable(adapters));
  await limited.stop();
});

test('a long answer is written in pieces or not at all, however it is asked for', async () => {
  await withLogin(database.ownerUrl, (sql) =>
    createManyAssets(sql, { assets: 120, buildings: 1, now: new Date() }),
  );
  const headers = { ...headersFor(server.url, cookies[0]), 'accept-encoding': 'identity' };
  const input = JSON.stringify({ filter: {}, limit: 100 });
  const get = { method: 'GET', path: 'assets.list', query: `input=${encodeURIComponent(input)}`, headers };
  const posted = { ...headers, 'content-type': 'application/json' };
  const post = { method: 'POST', path: 'assets.list', query: '', headers: posted, body: input };
  for (const call of [get, post]) {
    expect(await send(call)).toMatchObject({ status: 200, body: expect.stringContaining('"rows"') });
  }
  const odd = [
    byAdapter(get),
    byAdapter(post),
    { ...get, path: 'assets%2Elist' },
    { ...get, headers: { ...headers, 'content-type': 'text/plain' } },
    { ...get, query: `${get.query}&batch=1`, headers: { ...headers, 'trpc-accept': 'application/jsonl' } },
    { ...get, headers: { ...headers, accept: 'application/jsonl' } },
  ];
  for (const call of odd) {
    const { status, body } = await send(call);
    expect(body, JSON.stringify(call)).not.toContain('"rows"');
    expect([200, 400, 415], JSON.stringify(call)).toContain(status);
  }
});

test('signing out clears cookie and caches as by the adapter', async () => {
  const person = await createPerson(server.services, { role: 'viewer' });
  const signOut = async (sent: (call: Call) => Call) => {
    const headers = {
      ...headersFor(server.url, await signInAs(server, person)),
      'content-type': 'application/json',
    };
    return send(sent({ method: 'POST', path: 'session.signOut', query: '', headers, body: '{}' }));
  };
  const [own, adapters] = [await signOut((call) => call), await signOut(byAdapter)];
  expect([isDirect(own), isDirect(adapters)]).toEqual([true, false]);
  expect(own.headers['clear-site-data']).toBe('"cache"');
  expect(own.headers['set-cookie']).toHaveLength(1);
  expect(comparable(own)).toEqual(comparable(adapters));
});

test('a call whose Host is none is refused, and not logged as an error of the server', async () => {
  const before = server.logged.length;
  for (const host of ['127.0.0.1:99999', '999.1.1.1', 'a b']) {
    const headers = { host, cookie: cookies[0] ?? '' };
    expect((await send({ method: 'GET', path: 'session.me', query: '', headers })).status).toBe(400);
  }
  expect(server.logged).toHaveLength(before);
});
