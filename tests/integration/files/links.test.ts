import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { fileLink } from '#server/features/files/files.queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { rawClient, sha256Of, type TestLayer, testLayer } from '#tests/support/uploads/uploads.ts';

let database: TestDatabase;
let server: TestServer;
let layer: TestLayer;
let person: TestPerson;
let cookie: string;
let otherCookie: string;
let now = Date.now();

beforeAll(async () => {
  database = await createTestDatabase();
  layer = testLayer();
  server = await startTestServer(database, { files: layer, clock: { now: () => new Date(now) } });
  person = await createPerson(server.services, { role: 'admin' });
  cookie = await signInAs(server, person);
  otherCookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Stores a file and returns its link. */
async function stored(
  bytes: Buffer,
  { name = 'plan.txt', type = 'text/plain' } = {},
  disposition: 'inline' | 'attachment' = 'inline',
) {
  const id = uuidv7();
  const client = rawClient(server.url, cookie);
  await client.put(await client.presign({ id, name, bytes, type }), bytes);
  layer.names.set(id, name);
  return { id, link: fileLink(server.services, { userId: person.id }, id, disposition) };
}
const read = (
  link: string,
  headers: Record<string, string> = {},
  as: string | undefined = cookie,
  method = 'GET',
) => fetch(server.url + link, { method, headers: { ...headersFor(server.url, as), ...headers } });

describe('a link to a file', () => {
  const text = Buffer.from('0123456789');

  test('gives the file, its parts, and what a browser asks before', async () => {
    const { link } = await stored(text);
    const whole = await read(link);
    expect(whole.status).toBe(200);
    expect(await whole.text()).toBe(String(text));
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'content-disposition': `inline; filename="plan.txt"; filename*=UTF-8''plan.txt`,
      etag: `"${sha256Of(text)}"`,
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': expect.stringContaining("sandbox; default-src 'none'"),
    });
    const head = await read(link, {}, cookie, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    const part = async (range: string, more = {}) => {
      const answer = await read(link, { range, ...more });
      return [answer.status, await answer.text(), answer.headers.get('content-range')];
    };
    expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await part('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10']);
    expect(await part('bytes=2-4', { 'if-range': `"${sha256Of(text)}"` })).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    expect(await part('bytes=2-4', { 'if-range': '"older"' })).toEqual([200, String(text), null]);
    expect((await read(link, { 'if-none-match': `"${sha256Of(text)}"` })).status).toBe(304);
    expect((await read(link, { 'accept-encoding': 'br, gzip' })).headers.get('content-encoding')).toBeNull();
  });

  test('works for no other person, not when changed, and not after an hour', async () => {
    const { link } = await stored(text);
    expect((await read(link, {}, otherCookie)).status).toBe(403);
    expect((await fetch(server.url + link)).status).toBe(401);
    for (let at = '/files/'.length; at < link.length; at += 1) {
      const changed = `${link.slice(0, at)}${link[at] === '0' ? '1' : '0'}${link.slice(at + 1)}`;
      expect((await read(changed)).status, changed).toBe(403);
    }
    for (const changed of [`${link}&x=1`, link.replace('&s=', '&x=1&s='), link.replace('?', '?x=1&')]) {
      expect((await read(changed)).status, changed).toBe(403);
    }
    const before = now;
    now += 3_601_000;
    expect((await read(link)).status).toBe(403);
    now = before;
    expect((await read(link)).status).toBe(200);
  });

  test('is worth nothing without today’s access, or when the file is removed', async () => {
    const { id, link } = await stored(text);
    layer.names.delete(id);
    expect((await read(link)).status).toBe(404);
    layer.names.set(id, 'plan.txt');
    const removed = { state: 'removed', removedAt: new Date(now).toISOString() } as const;
    await server.services.db.update(storedFiles).set(removed).where(eq(storedFiles.id, id));
    expect((await read(link)).status).toBe(404);
  });

  test.each([
    [
      'a page',
      '<!doctype html><script>document.title = 1</script>',
      'text/html',
      /^attachment/,
      /^application\/octet-stream$/,
    ],
    ['a page said to be text', '<script>1</script>', 'text/plain', /^inline/, /^text\/plain; charset=utf-8$/],
    [
      'a drawing',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'image/svg+xml',
      /^attachment/,
      /^application\/octet-stream$/,
    ],
    [
      'a page said to be a picture',
      '<script>1</script>',
      'image/png',
      /^attachment/,
      /^application\/octet-stream$/,
    ],
    ['a PDF', '%PDF-1.7\n1 0 obj', 'text/html', /^inline/, /^application\/pdf$/],
    ['an old text', 'Pr\u00fcfung', '', /^inline/, /^text\/plain; charset=windows-1252$/],
  ])('shows %s only if it cannot run', async (_what, content, type, disposition, shown) => {
    const { link } = await stored(Buffer.from(content, 'latin1'), { type });
    const answer = await read(link);
    expect(answer.headers.get('content-disposition')).toMatch(disposition);
    expect(answer.headers.get('content-type')).toMatch(shown);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.startsWith('sandbox;')).toBe(content.startsWith('%PDF') === false);
    expect(policy).toContain("frame-ancestors 'self'");
  });

  test.each([
    [
      'Prüfbericht "a"\\b/c.pdf',
      `attachment; filename="Pr_fbericht _a__b_c.pdf"; filename*=UTF-8''Pr%C3%BCfbericht%20%22a%22_b_c.pdf`,
    ],
    [
      'a\r\nset-cookie: x=1',
      `attachment; filename="aset-cookie: x=1"; filename*=UTF-8''aset-cookie%3A%20x%3D1`,
    ],
    ['gpj.\u202etxt.exe', `attachment; filename="gpj.txt.exe"; filename*=UTF-8''gpj.txt.exe`],
    ["it's (1)*", `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
  ])('names the file %j safely', async (name, header) => {
    const { link } = await stored(text, { name }, 'attachment');
    expect((await read(link)).headers.get('content-disposition')).toBe(header);
  });

  test('whose bytes are missing is not found, and logged', async () => {
    const { id, link } = await stored(text);
    await server.services.stores.disk.storage.delete(`test/${id}`);
    expect((await read(link)).status).toBe(404);
    expect(server.logged.some((line) => line.includes('the bytes of a file are missing'))).toBe(true);
  });
});
