import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhookObjects } from '#server/features/webhooks/webhook-objects.ts';
import { uuidv7 } from '#shared/ids.ts';
import { describedApi } from '#tests/support/described-api.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import { fillBuilding } from '#tests/support/rows/filled-building.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer } from '#tests/support/server/server.ts';
import { createWebhook, makeSecret } from '#tests/support/webhooks/create-webhook.ts';
import { type Receiver, startReceiver } from '#tests/support/webhooks/receiver.ts';

// A webhook from its creation to the messages that its receiver gets.

const secret = makeSecret();
let setting: LiveSetting;
let receiver: Receiver;

beforeAll(async () => {
  setting = await createLiveSetting({
    env: { webhookNetworks: ['127.0.0.1'] },
    webhooks: { lookEveryMs: 50, answerWithinMs: 1_500 },
  });
});
afterAll(() => setting.end());
beforeEach(async () => {
  receiver = await startReceiver(secret);
});
afterEach(async () => {
  for (const { id } of (await setting.admin.client.webhooks.list.query()).data) {
    await setting.admin.client.webhooks.remove.mutate({ operationId: uuidv7(), id });
  }
  await receiver.close();
});

const { poll } = expect;
const types = () => receiver.accepted.map(({ type }) => type);
/** Adds a webhook that sends to the receiver. */
const hook = (options: Partial<Parameters<typeof createWebhook>[1]> = {}) =>
  createWebhook(setting.admin.client, { url: receiver.url, secret, ...options });
const stateOf = async (id: string) =>
  (await setting.admin.client.webhooks.states.query()).find((state) => state.id === id);
const listed = async (id: string) => (await setting.admin.client.webhooks.deliveries.query({ id })).rows;
const rowOf = async (id: string) =>
  (await setting.admin.client.webhooks.list.query()).data.find((webhook) => webhook.id === id);
/** Makes the next attempts due, as if the time until then had passed. */
const passTime = () =>
  setting.owner.sql`update webhook_deliveries set next_at = now() where state = 'waiting'`;

test('what changes arrives in order, signed, as the API shows it, with who made the change', async () => {
  const { client, id: adminId } = setting.admin;
  const { id } = await hook();
  const issueId = await setting.report(setting.here, 'No hot water');
  await client.issues.update.mutate({
    ...{ operationId: uuidv7(), id: issueId },
    changes: { priority: { from: 'low', to: 'high' } },
  });
  await client.issues.comment.mutate({ operationId: uuidv7(), id: uuidv7(), issueId, body: 'On my way' });
  await poll(types).toEqual(['issue.created', 'issue.updated', 'comment.created']);
  expect(receiver.forged()).toBe(0);

  const { key } = await createApiKey(client);
  const shown = await (await callApi(setting.server.url, key, `/issues/${issueId}`)).json();
  const updated = receiver.accepted[1];
  expect(updated?.data).toEqual(shown);
  expect(updated?.changes).toMatchObject({ priority: ['low', 'high'] });
  expect(updated?.by).toEqual({ personId: adminId, apiKeyId: null });
  expect(updated?.headers['user-agent']).toMatch(/^Lintel\//);
  expect(Date.parse(updated?.timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000);
  await poll(() => stateOf(id)).toMatchObject({ waiting: 0, failed: 0, deliveredAt: expect.any(String) });
  expect(
    (await listed(id)).map(({ state, attempts, lastStatus }) => ({ state, attempts, lastStatus })),
  ).toEqual(Array.from({ length: 3 }, () => ({ state: 'delivered', attempts: 1, lastStatus: 204 })));
});

test('every kind of object is reported as it is described, and what is changed in bulk as a list', async () => {
  const { client } = setting.admin;
  await hook();
  const { id } = await client.locations.createBuilding.mutate({
    ...{ operationId: uuidv7(), clientName: 'Quay Estates', name: 'Quay House' },
  });
  await fillBuilding(setting, { id, name: 'Quay House', code: 'QUA', clientId: '' });
  await setting.someone('viewer', [setting.here]);
  await client.users.invite.mutate({
    ...{
      operationId: uuidv7(),
      id: uuidv7(),
      email: 'new@example.com',
      firstName: 'New',
      lastName: 'Person',
    },
    ...{ role: 'viewer', buildingIds: [id] },
  });
  await client.locations.removeBuilding.mutate({ operationId: uuidv7(), id });
  const objects = Object.values(webhookObjects).map(({ type }) => type);
  await poll(() => objects.filter((type) => !types().includes(`${type}.created`))).toEqual([]);
  await poll(types).toContain('issue.list_changed');
  const described = describedApi();
  for (const { id: _id, headers: _headers, ...body } of receiver.accepted) {
    const faults = described.faultsIn(body, ['webhooks', body.type, 'post', 'requestBody']);
    expect([body.type, faults]).toEqual([body.type, undefined]);
  }
});

test('a change by a program names its key, so that the program can pass over its own', async () => {
  await hook();
  const { key, id: keyId } = await createApiKey(setting.admin.client);
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ buildingId: setting.here.id, title: 'Too cold' });
  expect((await callApi(setting.server.url, key, '/issues', headers, { method: 'POST', body })).status).toBe(
    201,
  );
  await poll(() => receiver.accepted[0]?.by).toEqual({ personId: setting.admin.id, apiKeyId: keyId });
});

test('a webhook reports its subjects and buildings alone', async () => {
  await hook({ buildingIds: [setting.here.id], permissions: ['view_building_issues'] });
  const { client } = setting.admin;
  await setting.report(setting.there, 'Elsewhere');
  await client.assets.create.mutate({
    ...{ operationId: uuidv7(), id: uuidv7(), buildingId: setting.here.id, floorId: null },
    ...{ name: 'Pump', description: 'Heating' },
  });
  await setting.report(setting.here, 'Here');
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual(['Here']);
});

test('a failed attempt is repeated with the same id, and what follows about the same issue waits for it', async () => {
  const { client } = setting.admin;
  const { id } = await hook({ permissions: ['view_building_issues'] });
  receiver.react(({ data }) => (data['title'] === 'Broken' || data['body'] !== undefined ? 503 : 200));
  const issueId = await setting.report(setting.here, 'Broken');
  await client.issues.comment.mutate({ operationId: uuidv7(), id: uuidv7(), issueId, body: 'Still' });
  await setting.report(setting.here, 'Other');
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual(['Other']);
  await poll(async () =>
    (await listed(id)).map(({ attempts, lastStatus }) => [attempts, lastStatus]),
  ).toEqual([
    [1, 200],
    [0, null],
    [1, 503],
  ]);
  const [, , failed] = await listed(id);
  expect(failed).toMatchObject({ state: 'waiting', lastError: 'status' });
  const afterMs = Date.parse(failed?.nextAt ?? '') - Date.parse(failed?.lastAt ?? '');
  expect(afterMs).toBeGreaterThan(4_000);
  expect(afterMs).toBeLessThan(6_000);
  receiver.react(() => 200);
  await passTime();
  await poll(types).toEqual(['issue.created', 'issue.created', 'comment.created']);
  expect(receiver.accepted[1]?.id).toBe(failed?.id);
});

test.each([
  ['a redirect is not followed', () => ({ redirectTo: 'http://169.254.169.254/latest' }), 'status'],
  ['an answer without an end is cut off, and its status counts', () => 'flood' as const, null],
  ['an answer that hardly goes on is cut off, and its status counts', () => 'drip' as const, null],
  ['a switch to another protocol breaks the connection', () => 'switch' as const, 'connection'],
  ['an error is an error', () => 500, 'status'],
])('%s', async (_name, reaction, error) => {
  const { id } = await hook();
  receiver.react(reaction);
  await setting.report(setting.here);
  await poll(async () => (await listed(id))[0]).toMatchObject({
    state: error === null ? 'delivered' : 'waiting',
    attempts: 1,
    lastError: error,
  });
});

test('a receiver that does not answer, is not there or has no certificate is named as such', async () => {
  receiver.react(() => 'hang');
  const silent = await hook({ name: 'Silent' });
  const closed = await hook({ name: 'Closed', url: 'http://127.0.0.1:1/' });
  const plain = await hook({ name: 'Plain', url: receiver.url.replace('http:', 'https:') });
  const unknown = await hook({ name: 'Unknown', url: 'https://hooks.invalid/' });
  await setting.report(setting.here);
  const errorOf = async ({ id }: { id: string }) => (await listed(id))[0]?.lastError;
  await poll(() => errorOf(closed)).toBe('refused');
  await poll(() => errorOf(plain)).toMatch(/connection|certificate/);
  await poll(() => errorOf(unknown)).toBe('unknown_host');
  await poll(() => errorOf(silent)).toBe('timeout');
});

test('a receiver that is down is asked now and then; once it answers, what it missed comes at once', async () => {
  const { client } = setting.admin;
  const { id } = await hook();
  receiver.react(() => 500);
  for (let n = 0; n < 6; n += 1) await setting.report(setting.here, `Issue ${n}`);
  await poll(receiver.asked).toBe(6);
  const failures = () => setting.owner.sql`
    select failures, retry_at > now() as waits from webhooks where id = ${id}`;
  await poll(async () => (await failures())[0]).toMatchObject({ failures: 6, waits: true });
  await setting.owner.sql`update webhooks set retry_at = now() + interval '5 minutes' where id = ${id}`;
  // As after hours: the outage has been long, and the next attempts are far in the future.
  await setting.owner
    .sql`update webhooks set failing_since = failing_since - interval '1 hour' where id = ${id}`;
  await setting.owner
    .sql`update webhook_deliveries set next_at = now() + interval '5 hours' where webhook_id = ${id}`;
  expect(await client.webhooks.test.mutate({ id })).toEqual({ status: 500, error: 'status' });
  receiver.react(() => 200);
  expect(await client.webhooks.test.mutate({ id })).toEqual({ status: 200, error: null });
  await setting.report(setting.here, 'Probe');
  await poll(async () => (await listed(id)).length).toBe(7);
  // Once a second webhook has been served, the worker has also checked this one.
  const beside = await hook({ name: 'Beside' });
  await setting.report(setting.there, 'Elsewhere');
  await poll(async () => (await listed(beside.id))[0]).toMatchObject({ state: 'delivered' });
  expect(receiver.accepted.filter(({ data }) => data['title'] === 'Probe')).toEqual([]);
  await setting.owner.sql`update webhooks set retry_at = now() where id = ${id}`;
  // The test message, the events that were missed and reported here, and the event that the other webhook reported.
  await poll(() => receiver.accepted).toHaveLength(1 + 8 + 1);
  await poll(() => stateOf(id)).toMatchObject({ failingSince: null, waiting: 0 });
});

test('a name that leads to a private address is refused at the connection', async () => {
  const bare = await startTestServer(setting.database);
  try {
    const client = createTestClient(bare.url, setting.admin.cookie);
    const url = receiver.url.replace('http://127.0.0.1', 'https://localhost');
    const { id } = await createWebhook(client, { url });
    expect(await client.webhooks.test.mutate({ id })).toEqual({ status: null, error: 'forbidden_address' });
    expect(receiver.asked()).toBe(0);
  } finally {
    await bare.stop();
  }
});

test('the removal of a building is reported to a webhook of that building alone', async () => {
  const { client } = setting.admin;
  const { id } = await client.locations.createBuilding.mutate({
    ...{ operationId: uuidv7(), clientName: 'Pier Estates', name: 'Pier House' },
  });
  await hook({ buildingIds: [id], permissions: ['view_locations', 'view_buildings'] });
  await client.locations.removeBuilding.mutate({ operationId: uuidv7(), id });
  await poll(() => receiver.accepted.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'building.removed', data: { id } },
  ]);
});

test('what changed just before it was switched off is sent when it is on again', async () => {
  const { client } = setting.admin;
  const { id } = await hook();
  await setting.report(setting.here, 'Just before');
  await setting.newest();
  await client.webhooks.switchOff.mutate({ operationId: uuidv7(), id });
  await setting.report(setting.here, 'While it is off');
  await poll(() => listed(id)).toHaveLength(1);
  await client.webhooks.switchOn.mutate({ operationId: uuidv7(), id });
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual(['Just before']);
});

test('410 switches the webhook off, with a notice to every administrator', async () => {
  const other = await setting.someone('admin');
  const { id } = await hook();
  receiver.react(() => 410);
  await setting.report(setting.here);
  await poll(() => rowOf(id)).toMatchObject({ offReason: 'gone' });
  for (const { client } of [setting.admin, other]) {
    expect((await client.users.myNotices.query()).data.map(({ kind }) => kind)).toContain('webhook_off');
  }
  receiver.react(() => 200);
  await setting.report(setting.here, 'Not reported');
  await setting.admin.client.webhooks.switchOn.mutate({ operationId: uuidv7(), id });
  await setting.report(setting.here, 'Reported');
  // Deliveries that were waiting are sent first; changes made while it was off are not sent.
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual([
    expect.any(String),
    'Reported',
  ]);
});

test('three days of failures switch it off, but not one failure before and one after a long stop', async () => {
  const { id } = await hook();
  receiver.react(() => 500);
  await setting.report(setting.here);
  await poll(() => stateOf(id)).toMatchObject({ failingSince: expect.any(String) });
  await setting.owner
    .sql`update webhooks set failing_since = failing_since - interval '73 hours' where id = ${id}`;
  for (let asked = 2; asked <= 4; asked += 1) {
    await passTime();
    await poll(receiver.asked).toBe(asked);
    await poll(async () => (await listed(id))[0]).toMatchObject({ attempts: asked, lastStatus: 500 });
  }
  expect(await rowOf(id)).toMatchObject({ offReason: null });
  await passTime();
  await poll(() => rowOf(id)).toMatchObject({ offReason: 'failing' });
});

test('a delivery that has failed for good is sent again on request, alone or with all others', async () => {
  const { client } = setting.admin;
  const { id } = await hook();
  receiver.react(() => 500);
  await setting.report(setting.here, 'One');
  await setting.report(setting.here, 'Two');
  await poll(receiver.asked).toBe(2);
  await poll(() => stateOf(id)).toMatchObject({ waiting: 2 });
  await setting.owner
    .sql`update webhook_deliveries set attempts = 9, next_at = now() where state = 'waiting'`;
  await poll(() => stateOf(id)).toMatchObject({ waiting: 0, failed: 2 });
  receiver.react(() => 200);
  const [two] = await listed(id);
  await client.webhooks.resend.mutate({ operationId: uuidv7(), id, deliveryId: two?.id });
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual(['Two']);
  await client.webhooks.resend.mutate({ operationId: uuidv7(), id });
  await poll(() => receiver.accepted.map(({ data }) => data['title'])).toEqual(['Two', 'One']);
  // Successful deliveries can be sent again, too.
  await client.webhooks.resend.mutate({ operationId: uuidv7(), id, deliveryId: two?.id });
  await poll(() => receiver.accepted).toHaveLength(3);
});

test('an erased payload is not sent', async () => {
  const { id } = await hook();
  receiver.react(() => 500);
  await setting.report(setting.here, 'A name');
  await poll(receiver.asked).toBe(1);
  await poll(async () => (await listed(id))[0]).toMatchObject({ lastStatus: 500 });
  await setting.owner.sql`select erase_event_payload((select max(g) from webhook_deliveries), null)`;
  receiver.react(() => 200);
  await passTime();
  await poll(async () => (await listed(id))[0]).toMatchObject({ state: 'withheld' });
  expect(receiver.accepted).toEqual([]);
});
