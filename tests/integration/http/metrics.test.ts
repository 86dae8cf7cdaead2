import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { METRICS, PREFIX } from '#server/http/metric-names.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The metrics for monitoring, read from this machine or with the token from others; they include every metric that the
// alert rules and the dashboard name.

const TOKEN = 'a-token-of-more-than-thirty-two-characters';
const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };
let database: TestDatabase;
let server: TestServer;
let closed: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { metricsToken: TOKEN } });
  closed = await startTestServer(database);
});
afterAll(async () => {
  await server.stop();
  await closed.stop();
  await database.drop();
});

const scrape = (headers: Record<string, string> = {}, from = server) =>
  fetch(`${from.url}/metrics`, { headers });

test('the token lets other machines read, and nothing else does', async () => {
  const status = async (headers: Record<string, string>, from = server) =>
    (await scrape(headers, from)).status;
  const withToken = { authorization: `Bearer ${TOKEN}` };
  expect(await status({ ...FORWARDED, ...withToken })).toBe(200);
  for (const wrong of [
    '',
    'Bearer',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
    TOKEN,
  ]) {
    expect([wrong, await status({ ...FORWARDED, authorization: wrong })]).toEqual([wrong, 401]);
  }
  expect((await scrape(FORWARDED)).headers.get('www-authenticate')).toBe('Bearer realm="Lintel metrics"');
  // Where no token is configured, no token is accepted.
  expect(await status({ ...FORWARDED, ...withToken }, closed)).toBe(404);
  expect(await status({ ...FORWARDED, authorization: 'Bearer undefined' }, closed)).toBe(404);
  expect(await status({}, closed)).toBe(200);
});

test('requests are counted by route, never by address', async () => {
  for (const path of [
    '/livez',
    '/livez?secret=1',
    '/api/v1/issues/0190a3f0-0000-7000-8000-000000000000',
    '/trpc/a.b',
  ]) {
    await fetch(`${server.url}${path}`);
  }
  const text = await (await scrape()).text();
  const count = (labels: string) => Number(new RegExp(`_count\\{${labels}\\} (\\d+)`).exec(text)?.[1]);
  expect(count('method="GET",route="/livez",status="200"')).toBe(2);
  expect(count('method="GET",route="/api/v1/issues/:id",status="401"')).toBe(1);
  expect(count('method="GET",route="/trpc/:path",status="404"')).toBe(1);
  expect(text).not.toMatch(/secret|0190a3f0|a\.b/);
});

test('every metric is described, and the alert rules and the dashboard name only metrics that there are', async () => {
  const text = await (await scrape()).text();
  const described = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  // A gauge without a value has a description as well, so that the lines with values count.
  const measured = new Set([...text.matchAll(/^(lintel_\w+)/gm)].map(([, name]) => name));
  const missing = Object.keys(METRICS).filter((name) => !measured.has(`${PREFIX}${name}`));
  expect(missing).toEqual(['backup_age_seconds', 'backup_rows', 'backup_verified_age_seconds']);
  for (const [, name = ''] of text.matchAll(/^(lintel_\w+)/gm)) {
    expect(described).toContain(name.replace(/_(bucket|sum|count)$/, ''));
  }
  for (const file of ['alerts.yaml', 'grafana-dashboard.json']) {
    const content = readFileSync(new URL(`../../../docs/monitoring/${file}`, import.meta.url), 'utf8');
    const named = new Set(
      [...content.matchAll(/lintel_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, '')),
    );
    expect(named.size).toBeGreaterThan(5);
    for (const name of named) expect([...described]).toContain(name);
  }
});

test('a server that cannot serve says so', async () => {
  const ready = async (from: TestServer) =>
    /^lintel_ready (\d)$/m.exec(await (await scrape({}, from)).text())?.[1];
  expect(await ready(server)).toBe('1');
  const full = await startTestServer(database, { diskSpace: { freeBytes: async () => 0 } });
  expect(await ready(full)).toBe('0');
  await full.stop();
});
