import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';

let setting: LiveSetting;

beforeAll(async () => {
  // So slow that the limit does not recover during a test.
  const slow = (burst: number) => ({ burst, perSecond: 0.001 });
  setting = await createLiveSetting({
    limits: { person: slow(30), anonymous: slow(5), bytes: slow(10_000) },
  });
});
afterAll(() => setting.end());

test('a key has its own limit, says how much is left, and leaves its maker theirs', async () => {
  const { key } = await createApiKey(setting.admin.client);
  const other = await createApiKey(setting.admin.client);
  const answers = [];
  for (let n = 0; n < 31; n += 1) answers.push(await callApi(setting.server.url, key, '/assets'));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect(answers[0]?.headers.get('ratelimit')).toBe('"calls";r=29;t=1000, "bytes";r=10000;t=0');
  expect(answers[0]?.headers.get('ratelimit-policy')).toBe(
    '"calls";q=30;w=30000, "bytes";q=10000;w=10000000;qu="content-bytes"',
  );
  const refused = answers.at(-1);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(900);
  expect(await refused?.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await callApi(setting.server.url, other.key, '/assets')).status).toBe(200);
  expect((await setting.admin.client.apiKeys.list.query()).data).toHaveLength(2);
});

test('the bytes that a key sends are limited, too', async () => {
  const { key } = await createApiKey(setting.admin.client);
  const body = JSON.stringify({ buildingId: setting.here.id, title: 'Long', description: 'x'.repeat(4_000) });
  const answers = [];
  for (let n = 0; n < 3; n += 1) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `long-${n}` };
    answers.push(await callApi(setting.server.url, key, '/issues', headers, { method: 'POST', body }));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  const left = 10_000 - 2 * Buffer.byteLength(body);
  expect(answers.at(-1)?.headers.get('ratelimit')).toContain(`"bytes";r=${left};`);
});

test('guesses are limited by network, and do not lock out a key that was valid there', async () => {
  const { key } = await createApiKey(setting.admin.client);
  expect((await callApi(setting.server.url, key, '/assets')).status).toBe(200);
  const statuses = [];
  for (let n = 0; n < 7; n += 1)
    statuses.push((await callApi(setting.server.url, `guess-${n}`, '/assets')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect((await callApi(setting.server.url, key, '/assets')).status).toBe(200);
});
