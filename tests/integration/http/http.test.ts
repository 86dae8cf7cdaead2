import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let cookie: string;
let dist: string;

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'lintel-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Lintel</title><script>first()</script>');
  writeFileSync(
    join(dist, 'assets', 'index-abc123.js'),
    `console.log(${JSON.stringify('x'.repeat(4_000))});`,
  );
  database = await createTestDatabase();
  server = await startTestServer(database, { dist });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  rmSync(dist, { recursive: true });
});

function post(
  path: string,
  body: string,
  headers: Record<string, string | undefined> = {},
): Promise<Response> {
  const all = { ...headersFor(server.url, cookie), 'content-type': 'application/json', ...headers };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return fetch(`${server.url}${path}`, { method: 'POST', headers: given, body });
}

/** Sends a request with any header, including those that `fetch` does not allow. */
function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { error?: { data?: { app?: { code?: unknown } } } };
  return body.error?.data?.app?.code;
}

describe('a call from somewhere else', () => {
  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['another scheme', { origin: 'https://127.0.0.1' }],
    ['no origin', { origin: undefined }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a name that points here for a moment', { origin: 'http://evil.example', host: 'evil.example' }],
    ['what the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a form', { 'x-app': undefined }],
  ])('%s is refused', async (_what, headers) => {
    const response = await post('/trpc/session.touch', '{}', headers);
    expect(response.status).toBe(403);
    expect(await codeOf(response)).toBe('forbidden');
  });

  test('both names of this machine are ours', async () => {
    const { port } = new URL(server.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const response = await fetch(`http://${host}/trpc/session.touch`, {
        method: 'POST',
        headers: { ...headersFor(`http://${host}`, cookie), 'content-type': 'application/json' },
        body: '{}',
      });
      expect(response.status).toBe(200);
    }
  });

  test('even a query is not read across sites', async () => {
    const response = await fetch(`${server.url}/trpc/session.me`, {
      headers: { cookie, 'sec-fetch-site': 'same-site' },
    });
    expect(response.status).toBe(403);
  });
});

describe('a body', () => {
  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    '',
  ])('of the type %j is refused', async (type) => {
    const response = await post('/trpc/session.touch', '{}', { 'content-type': type });
    expect(response.status).toBe(415);
    expect(await codeOf(response)).toBe('unsupported');
  });

  test.each([
    '{"',
    '',
    'null',
    '[]',
    '"text"',
    '{"unknown":1}',
    '{"__proto__":{"polluted":true}}',
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    '\u0000',
    '{"a":1e400}',
  ])('%j is refused with a reason, and the server lives', async (body) => {
    const response = await post('/trpc/session.touch', body);
    expect([400, 415]).toContain(response.status);
    expect(await codeOf(response)).toBe('invalid');
  });

  test('over 256 KiB is refused before it is read', async () => {
    const response = await post('/trpc/session.signIn', JSON.stringify({ email: 'a'.repeat(300_000) }));
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('too_large');
  });

  test('loses a typed NUL, which no text column can store', async () => {
    const building = await createBuilding(server.services);
    const title = 'Pump\u0000house leaks';
    const input = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, title };
    expect((await post('/trpc/issues.create', JSON.stringify(input))).status).toBe(200);
    const found = await search('Pumph\u0000ouse');
    expect(found.status).toBe(200);
    expect((await titlesIn(found)).sort()).toEqual(['Pumphouse leaks']);
  });

  test.each([
    ['a name', 'users.renameMe', { firstName: 'Bo\u0000', lastName: 'Bell' }],
    ['an id', 'issues.create', { id: `${uuidv7()}\u0000`, buildingId: uuidv7(), title: 'Leak' }],
  ])('with a NUL in %s is refused', async (_what, path, input) => {
    const response = await post(`/trpc/${path}`, JSON.stringify({ operationId: uuidv7(), ...input }));
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('invalid');
  });

  test('with half a character, which no text column holds, is refused', async () => {
    const response = await search('a\ud800b');
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('invalid');
  });

  const search = (text: string) => {
    const input = encodeURIComponent(JSON.stringify({ filter: { search: text } }));
    return fetch(`${server.url}/trpc/issues.list?input=${input}`, { headers: { cookie } });
  };

  async function titlesIn(response: Response): Promise<string[]> {
    const body = (await response.json()) as { result: { data: { data: { rows: { title: string }[] } } } };
    return body.result.data.data.rows.map(({ title }) => title);
  }
});

describe('a batch', () => {
  const paths = (count: number) => Array.from({ length: count }, () => 'session.setupState').join(',');
  const get = (path: string) =>
    fetch(`${server.url}/trpc/${path}?batch=1`, { headers: headersFor(server.url, cookie) });

  test('of twenty passes, of twenty-one does not', async () => {
    expect((await get(paths(20))).status).toBe(200);
    expect((await get(paths(21))).status).toBe(400);
  });

  test('of commas only is cheap and reveals nothing', async () => {
    const response = await get(','.repeat(4_000));
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(1_000);
  });

  test.each([',', '%2C', '%2c'])('counts as many calls as it holds, with %s between them', async (comma) => {
    const limited = await startTestServer(database, {
      limits: { person: { burst: 30, perSecond: 0.01 }, anonymous: { burst: 30, perSecond: 0.01 } },
    });
    const call = () => fetch(`${limited.url}/trpc/${paths(20).replaceAll(',', comma)}?batch=1`);
    expect((await call()).status).toBe(200);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('retryAfterSeconds');
    await limited.stop();
  });

  test('counts what one person sends, too, because all of it is stored', async () => {
    const limits = { burst: 1_000, perSecond: 100 };
    const limited = await startTestServer(database, {
      limits: { person: limits, anonymous: limits, bytes: { burst: 2_000, perSecond: 0.01 } },
    });
    const send = (from: string | undefined) =>
      fetch(`${limited.url}/trpc/session.touch`, {
        method: 'POST',
        headers: { ...headersFor(limited.url, from), 'content-type': 'application/json' },
        body: JSON.stringify({ unknown: 'x'.repeat(1_500) }),
      });
    expect((await send(cookie)).status).toBe(400);
    const refused = await send(cookie);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('retryAfterSeconds');
    const another = await signInAs(server, await createPerson(server.services, { role: 'viewer' }));
    expect((await send(another)).status).toBe(400);
    await limited.stop();
  });

  test.each(['%252C', '%25252C'])('with %s between its calls is none', async (comma) => {
    const response = await get(paths(20).replaceAll(',', comma));
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('invalid');
  });
});

describe('a path', () => {
  test.each(['/trpc/', '/trpc/nothing.here', '/trpc/session', '/trpc/__proto__', '/trpc/session.me/more'])(
    '%s is not found, in our words',
    async (path) => {
      const response = await fetch(`${server.url}${path}`, { headers: { cookie } });
      expect(response.status).toBe(404);
      expect(await codeOf(response)).toBe('not_found');
    },
  );

  test.each(['%E0%A4%A', '%25E0', '%2525E0', 'session.me%2500', '%'])(
    'that is malformed is refused: %s',
    async (path) => {
      const response = await fetch(`${server.url}/trpc/${path}`, { headers: { cookie } });
      expect(response.status).toBe(400);
      expect(await codeOf(response)).toBe('invalid');
    },
  );

  test.each(['/%74rpc/', '/trp%63/'])(
    'whose prefix is spelled differently is refused: %s',
    async (prefix) => {
      for (const path of ['live.stream', 'session.me']) {
        const response = await fetch(`${server.url}${prefix}${path}`, { headers: { cookie } });
        expect(response.status).toBe(400);
        expect(await codeOf(response)).toBe('invalid');
      }
    },
  );

  test('of a query holds no secret of a link', async () => {
    const input = encodeURIComponent(JSON.stringify({ token: 'a'.repeat(43) }));
    expect((await fetch(`${server.url}/trpc/session.link?input=${input}`)).status).toBe(405);
  });

  test('of a mutation cannot be read, of a query can be posted, others cannot be asked for', async () => {
    const read = await fetch(`${server.url}/trpc/session.signOut`, { headers: { cookie } });
    expect(read.status).toBe(405);
    expect((await post('/trpc/session.me', '{}')).status).toBe(200);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${server.url}/trpc/session.me`, { method, headers: { cookie } });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('an upgrade', () => {
  /** Returns the raw answer of the server to a handshake. */
  function upgrade(path: string, origin: string): Promise<string> {
    const { port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('error', reject);
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        socket.destroy();
      });
      socket.on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''));
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: ${origin}\r\n\r\n`,
      );
    });
  }

  test.each(['//', '/', 'http://', '/trpc/', '/trpc?x=1', '/trpc?connectionParams=2', '/%'])(
    'to %s finds nothing, and the server lives',
    async (path) => {
      expect(await upgrade(path, server.url)).toMatch(/^HTTP\/1\.1 (400|404) /);
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    },
  );

  test('from another site is refused', async () => {
    expect(await upgrade('/trpc', 'https://evil.example')).toBe('HTTP/1.1 403 Forbidden');
  });
});

describe('an unexpected error', () => {
  test('shows a reference that finds the log line, and nothing of the statement', async () => {
    const broken = await createTestDatabase();
    const other = await startTestServer(broken);
    const person = await createPerson(other.services, { role: 'viewer', email: 'canary@example.com' });
    const session = await signInAs(other, person);
    const owner = postgres(broken.ownerUrl, { max: 1 });
    await owner`alter table buildings rename column name to other_name`;
    await owner.end();
    const response = await fetch(`${other.url}/trpc/locations.mine`, { headers: { cookie: session } });
    const body = await response.text();
    expect(response.status).toBe(500);
    const parsed = JSON.parse(body) as { error: { data: { app: { code: string; reference: string } } } };
    const { code, reference } = parsed.error.data.app;
    expect(code).toBe('internal');
    expect(reference).toMatch(/^[0-9a-f]{12}$/);
    expect(body).not.toMatch(/select |column|buildings|\.ts/i);
    const line = other.logged.find((one) => one.includes(reference));
    expect(line).toContain('locations.mine');
    expect(line).toContain('42703');
    expect(other.logged.join('')).not.toContain('canary@example.com');
    expect(other.logged.join('')).not.toContain(person.id);
    await other.stop();
    await broken.drop();
  });

  test('that is only a lock held too long says so', async () => {
    const { services } = server;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const person = await createPerson(services, { role: 'viewer' });
    const holder = services.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from profiles where id = ${person.id} for update`);
      locked();
      await held;
    });
    await isLocked;
    const input = { operationId: uuidv7(), userId: person.id, role: 'manager' };
    const response = await post('/trpc/users.setRole', JSON.stringify(input));
    expect(response.status).toBe(503);
    expect(await codeOf(response)).toBe('busy');
    release();
    await holder;
    // The refused attempt stored nothing, so the same operation may be sent again.
    expect((await post('/trpc/users.setRole', JSON.stringify(input))).status).toBe(200);
  });
});

test('a line of the log about the stream holds nothing that was typed', async () => {
  const { log, db } = server.services;
  const failure = await db.execute(sql`select ${'canary-typed'}::int`).catch((error: unknown) => error);
  log.warn({ err: failure }, 'events could not be read');
  const line = server.logged.find((one) => one.includes('events could not be read'));
  expect(line).toContain('22P02');
  expect(line).not.toContain('canary-typed');
});

describe('headers', () => {
  test.each([
    '/',
    '/dashboard',
    '/assets/index-abc123.js',
    '/assets/gone.js',
    '/livez',
    '/trpc/session.me',
    '/trpc/x',
  ])('of %s keep the page to itself', async (path) => {
    const { headers } = await fetch(`${server.url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    // The app's own files, and the one inline script of the page.
    const first = createHash('sha256').update('first()').digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${first}';`);
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    // Over plain http, HSTS would lock people out.
    expect(headers.has('strict-transport-security')).toBe(false);
    if (path.startsWith('/trpc')) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('let compiled code run in the worker that reads PDFs, and nowhere else', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${server.url}${path}`)).headers.get('content-security-policy');
    expect(await policyOf('/assets/pdfjs-1.2.3/pdf.worker.min.js')).toBe(
      "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self'",
    );
    for (const path of [
      '/assets/pdfjs-1.2.3/wasm/openjpeg.wasm',
      '/assets/pdfjs-1.2.3/pdf.worker.min.js/',
      '/x/assets/pdfjs-1.2.3/pdf.worker.min.js',
      '/dashboard?/assets/pdfjs-1.2.3/pdf.worker.min.js',
    ]) {
      expect(await policyOf(path)).not.toContain('wasm-unsafe-eval');
    }
  });
});

describe('the pages', () => {
  test('a hashed file is kept for ever, and compressed', async () => {
    const { headers, status } = await fetch(`${server.url}/assets/index-abc123.js`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  });

  test('every address of the app serves the page, which a cache has to revalidate', async () => {
    for (const path of ['/', '/auth/login', '/building-issues?view=board', '/no/such/page']) {
      const response = await fetch(`${server.url}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Lintel</title>');
    }
  });

  test('a missing file is not found', async () => {
    for (const path of ['/assets/index-old.js', '/favicon.gif', '/assets/', '/../package.json', '/.env']) {
      const response = await fetch(`${server.url}${path}`);
      expect([403, 404]).toContain(response.status);
    }
  });
});

describe('health', () => {
  test('is ready while the database answers, alive in any case', async () => {
    const other = await createTestDatabase();
    const lonely = await startTestServer(other);
    expect((await fetch(`${lonely.url}/readyz`)).status).toBe(200);
    await other.drop();
    expect((await fetch(`${lonely.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${lonely.url}/livez`)).status).toBe(200);
    await lonely.stop();
  });

  test('is not ready while the database takes no saves, though it answers', async () => {
    const full = await createTestDatabase();
    const lonely = await startTestServer(full);
    const owner = postgres(full.ownerUrl, { max: 1, onnotice: () => undefined });
    const ready = async () => {
      const response = await fetch(`${lonely.url}/readyz`);
      return [response.status, await response.text()];
    };
    const session = await signInAs(lonely, await createPerson(lonely.services, { role: 'admin' }));
    const save = () =>
      fetch(`${lonely.url}/trpc/locations.createClient`, {
        method: 'POST',
        headers: { ...headersFor(lonely.url, session), 'content-type': 'application/json' },
        body: JSON.stringify({ operationId: uuidv7(), name: `Client ${uuidv7()}` }),
      });
    await owner`
      create function no_space() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`;
    await owner`create trigger full_disk before insert on applied_operations execute function no_space()`;
    const refused = await save();
    // A phone keeps retrying after `busy`; other server errors need a person after eight attempts.
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'busy']);
    expect(await ready()).toEqual([503, 'saves cannot be written\n']);
    expect(lonely.logged.join('')).toContain('saves cannot be written');
    await owner`drop trigger full_disk on applied_operations`;
    expect(await ready()).toEqual([200, 'ok\n']);
    expect((await save()).status).toBe(200);
    await owner.end();
    await lonely.stop();
    await full.drop();
  });

  test('is not ready on a database that may only be read', async () => {
    const replica = await createTestDatabase();
    const lonely = await startTestServer(replica);
    const owner = postgres(replica.ownerUrl, { max: 1, onnotice: () => undefined });
    const name = new URL(replica.ownerUrl).pathname.slice(1);
    await owner`alter database ${owner(name)} set default_transaction_read_only = on`;
    await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const ready = async () => {
      const response = await fetch(`${lonely.url}/readyz`);
      return [response.status, await response.text()];
    };
    await expect.poll(ready).toEqual([503, 'saves cannot be written\n']);
    await owner.end();
    await lonely.stop();
    await replica.drop();
  });

  test('is not ready while notifications are not heard, though the database answers', async () => {
    const alone = await createTestDatabase();
    let now = 0;
    // Neither beats nor a renewed LISTEN occur during the test.
    const liveParts = { beatMs: 600_000, silenceMs: 600_000, monotonicMs: () => now };
    const deaf = await startTestServer(alone, { liveParts });
    expect((await fetch(`${deaf.url}/readyz`)).status).toBe(200);
    // The notification of the start may still arrive, and resets the silence when it does.
    const afterAWhile = async () => {
      now += 11_000;
      const response = await fetch(`${deaf.url}/readyz`);
      return [response.status, await response.text()];
    };
    await expect.poll(afterAWhile).toEqual([503, 'notifications are not heard\n']);
    expect((await fetch(`${deaf.url}/livez`)).status).toBe(200);
    await deaf.stop();
    await alone.drop();
  });

  test('a request with two lengths is refused, so that no proxy sees another one in it', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
    });
    const lengths = 'Content-Length: 4\r\nTransfer-Encoding: chunked';
    socket.write(
      `POST /trpc/session.me HTTP/1.1\r\nHost: localhost\r\n${lengths}\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('figures are for this machine, not for requests through a proxy', async () => {
    const own = await fetch(`${server.url}/metrics`);
    expect(await own.text()).toMatch(/^lintel_process_resident_memory_bytes \d+$/m);
  });

  test.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['x-envoy-external-address', '203.0.113.9'],
    ['x-azure-clientip', '203.0.113.9'],
    ['wl-proxy-client-ip', '203.0.113.9'],
    ['x-remote-addr', '203.0.113.9'],
    ['x_forwarded_for', '203.0.113.9'],
    ['cdn-loop', 'proxy'],
    ['host', 'lintel.example.com'],
  ])('figures are not for a request with %s', async (name, value) => {
    expect(await statusOf('/metrics', { [name]: value })).toBe(404);
  });

  test.each([
    ['as a proxy that adds nothing asks, by HTTP/1.0', 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1'],
    ['with two names', 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: lintel.example.com'],
  ])('figures are not for a request %s', async (_how, head) => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
    });
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('lintel_');
  });
});
