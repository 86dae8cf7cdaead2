import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import { sweepDeliveries } from '#server/features/webhooks/sweep-deliveries.ts';
import { DAY_MS } from '#shared/dates.ts';
import { webhookMessages } from '#shared/features/webhooks/webhook-messages.ts';
import { WEBHOOKS_MAX } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { changesOf, createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createWebhook, makeSecret } from '#tests/support/webhooks/create-webhook.ts';

// Commands and queries of webhooks. The receivers do not exist.

const url = 'https://hooks.invalid/lintel/a-secret-path';
let setting: LiveSetting;

beforeAll(async () => {
  setting = await createLiveSetting();
});
afterAll(() => setting.end());
beforeEach(async () => {
  // In one transaction, so that the worker sees all changes or none.
  await setting.owner.sql.begin(async (sql) => {
    await sql`lock table webhooks`;
    await sql`delete from webhook_deliveries`;
    await sql`delete from webhook_buildings`;
    await sql`delete from webhooks`;
  });
});

const command = (id: string) => ({ operationId: uuidv7(), id });
const list = async () => (await setting.admin.client.webhooks.list.query()).data;
const fieldsOf = (mutation: Promise<unknown>) =>
  mutation.then(
    () => ({}),
    (error: { data?: { app?: { fields?: object } } }) => error.data?.app?.fields,
  );

test('is seen live by administrators alone; neither its path nor its secret is in an event or an answer', async () => {
  const stream = await setting.followed(setting.admin.cookie);
  const manager = await setting.someone('manager', [setting.here]);
  const others = await setting.followed(manager.cookie);
  const { id, secret } = await createWebhook(setting.admin.client, { url, name: 'Helpdesk' });
  await expect.poll(() => changesOf(stream).map(({ entity }) => entity)).toContain('webhook');
  expect(changesOf(others).map(({ entity }) => entity)).not.toContain('webhook');
  const [row] = await list();
  expect(row).toMatchObject({ id, name: 'Helpdesk', origin: 'https://hooks.invalid', offAt: null });
  expect((await setting.admin.client.webhooks.states.query())[0]).toMatchObject({ url, waiting: 0 });

  await setting.newest();
  const kept = await setting.owner.sql<{ text: string }[]>`
    select string_agg(body, '') || (select string_agg(coalesce(result, ''), '') from applied_operations) as text
    from event_payloads`;
  expect(kept[0]?.text).toContain('Helpdesk');
  for (const hidden of [secret, 'a-secret-path']) expect(kept[0]?.text).not.toContain(hidden);
  expect(setting.server.logged.join()).not.toContain(secret);

  await setting.admin.client.webhooks.remove.mutate(command(id));
  const [removed] = await setting.server.services.db.select().from(webhooks).where(eq(webhooks.id, id));
  expect(removed).toMatchObject({ secret: '', url: 'https://hooks.invalid' });
  expect(await list()).toEqual([]);
  for (const procedure of ['switchOn', 'switchOff', 'resend', 'remove'] as const) {
    const refused = setting.admin.client.webhooks[procedure].mutate(command(id));
    await expect(refused).rejects.toThrow('not_found');
  }
  await expect(setting.admin.client.webhooks.test.mutate({ id })).rejects.toThrow('not_found');
});

describe('an address is refused at its field', () => {
  test.each([
    ['no address', 'hooks', webhookMessages.urlInvalid],
    ['another scheme', 'ftp://hooks.example.com/', webhookMessages.urlInvalid],
    ['plain http', 'http://hooks.example.com/', webhookMessages.urlInvalid],
    ['a user name', 'https://user@hooks.example.com/', webhookMessages.urlWithPassword],
    ['a password behind backslashes', 'https:\\\\u:p@hooks.example.com', webhookMessages.urlInvalid],
    ['this machine', 'https://127.0.0.1/', webhookMessages.urlForbidden],
    ['this machine in another spelling', 'https://0x7f000001/', webhookMessages.urlForbidden],
    ['this machine by IPv6', 'https://[::ffff:127.0.0.1]/', webhookMessages.urlForbidden],
    ['a private network', 'https://192.168.0.10/', webhookMessages.urlForbidden],
    ['the metadata of a cloud', 'https://169.254.169.254/latest', webhookMessages.urlForbidden],
  ])('%s', async (_name, address, sentence) => {
    const made = createWebhook(setting.admin.client, { url: address });
    expect(await fieldsOf(made)).toMatchObject({ url: sentence });
    expect(await list()).toEqual([]);
  });
});

test('what it may report is bounded as keys of the API are, and their number is limited', async () => {
  const { client } = setting.admin;
  expect(await fieldsOf(createWebhook(client, { url, permissions: [] }))).toMatchObject({
    permissions: webhookMessages.subjectsRequired,
  });
  const people = createWebhook(client, { url, permissions: ['view_users'], buildingIds: [setting.here.id] });
  expect(await fieldsOf(people)).toMatchObject({ buildingIds: webhookMessages.peopleNeedAll });
  await expect(createWebhook(client, { url, permissions: ['edit_assets'] })).rejects.toThrow();
  await expect(createWebhook(client, { url, buildingIds: [uuidv7()] })).rejects.toThrow('not_found');
  await expect(createWebhook(client, { url, secret: 'short' })).rejects.toThrow();
  const made = await Promise.allSettled(
    Array.from({ length: WEBHOOKS_MAX + 2 }, () => createWebhook(client, { url })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(WEBHOOKS_MAX);
});

test('a repeated creation makes one, and another with the same id is refused', async () => {
  const { client } = setting.admin;
  const input = {
    ...{
      ...command(uuidv7()),
      name: 'Twice',
      url,
      secret: makeSecret(),
      allBuildings: true,
      buildingIds: [],
    },
    permissions: ['view_assets' as const],
  };
  const answers = await Promise.all([1, 2].map(() => client.webhooks.create.mutate(input)));
  expect(answers[0]).toEqual(answers[1]);
  await expect(client.webhooks.create.mutate({ ...input, operationId: uuidv7() })).rejects.toThrow(
    'duplicate',
  );
  expect(await list()).toHaveLength(1);
});

test('it ends with its owner’s access, and the administrator who switches it on owns it then', async () => {
  const { admin } = setting;
  const leaving = await setting.someone('admin');
  const { id } = await createWebhook(leaving.client, { url });
  await admin.client.users.setRole.mutate({ operationId: uuidv7(), userId: leaving.id, role: 'manager' });
  expect(await list()).toMatchObject([{ id, offReason: 'access_ended', ownerId: leaving.id }]);
  const notices = (await admin.client.users.myNotices.query()).data;
  expect(notices.map(({ kind }) => kind)).toContain('webhook_off');
  const refused = admin.client.webhooks.resend.mutate(command(id));
  await expect(refused).rejects.toMatchObject({ data: { app: { message: webhookMessages.isOff } } });
  // A receiver can be tried before its webhook is switched on again.
  expect(await admin.client.webhooks.test.mutate({ id })).toEqual({ status: null, error: 'unknown_host' });
  await Promise.all([1, 2].map(() => admin.client.webhooks.switchOn.mutate(command(id))));
  expect(await list()).toMatchObject([{ id, offAt: null, offReason: null, ownerId: admin.id, version: 3 }]);

  await admin.client.webhooks.switchOff.mutate(command(id));
  await admin.client.webhooks.switchOff.mutate(command(id));
  expect(await list()).toMatchObject([{ offReason: 'person', version: 4 }]);
});

test('old deliveries are deleted, and all of a removed webhook', async () => {
  const { db, clock } = setting.server.services;
  const { client } = setting.admin;
  const [kept, removed] = [await createWebhook(client, { url }), await createWebhook(client, { url })];
  await client.webhooks.switchOff.mutate(command(kept.id));
  await client.webhooks.remove.mutate(command(removed.id));
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  const row = (webhookId: string, state: 'waiting' | 'delivered' | 'failed', days: number) => ({
    ...{ webhookId, state, g: days, type: `${state}.${days}`, subjectId: uuidv7() },
    ...{ createdAt: daysAgo(days), nextAt: daysAgo(days) },
  });
  await db
    .insert(webhookDeliveries)
    .values([
      row(kept.id, 'delivered', 6),
      row(kept.id, 'delivered', 8),
      row(kept.id, 'failed', 28),
      row(kept.id, 'failed', 32),
      row(kept.id, 'waiting', 29),
      row(kept.id, 'waiting', 31),
      row(removed.id, 'waiting', 1),
    ]);
  await sweepDeliveries(db, clock.now());
  const left = await db.select({ type: webhookDeliveries.type }).from(webhookDeliveries);
  expect(left.map(({ type }) => type).sort()).toEqual(['delivered.6', 'failed.28', 'waiting.29']);
});

test('its list of deliveries comes in pages', async () => {
  const { db, clock } = setting.server.services;
  const { id } = await createWebhook(setting.admin.client, { url });
  await setting.admin.client.webhooks.switchOff.mutate(command(id));
  const at = clock.now().toISOString();
  await db.insert(webhookDeliveries).values(
    Array.from({ length: 51 }, (_, n) => ({
      ...{ webhookId: id, g: n, type: `test.${n}`, subjectId: uuidv7(), createdAt: at, nextAt: at },
      state: 'delivered' as const,
    })),
  );
  const first = await setting.admin.client.webhooks.deliveries.query({ id });
  expect(first).toMatchObject({ hasMore: true, rows: { length: 50, 0: { type: 'test.50', nextAt: null } } });
  const before = first.rows.at(-1)?.number;
  expect(await setting.admin.client.webhooks.deliveries.query({ id, before })).toMatchObject({
    ...{ hasMore: false, rows: [{ type: 'test.0' }] },
  });
});
