import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { apiKeys } from '#db/schema/api-keys.ts';
import { BUILDINGS_REQUIRED } from '#shared/buildings-choice.ts';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import { describeAccess } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';

// An administrator creates, manages and revokes keys of the API.

const words = apiKeyMessages;
const setting = setUpWebSetting();
let admin: TestPerson;
let building: TestBuilding;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin', firstName: 'Ada', lastName: 'Bell' });
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

test('a key is created once, shown once, used, seen in another window, and revoked', async () => {
  const { url } = setting.server;
  const page = await setting.open(admin, '/settings');
  const other = await setting.open(admin, '/settings');
  await other.getByText(words.none).waitFor();

  await page.getByRole('button', { name: words.create }).click();
  const dialog = page.getByRole('dialog', { name: words.createTitle });
  await dialog.getByLabel('Name').fill('Monthly report');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByText(words.permissionsRequired).waitFor();
  await dialog.getByLabel('Assets').selectOption('Read');
  await dialog.getByLabel('Buildings', { exact: true }).selectOption('some');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByText(BUILDINGS_REQUIRED).waitFor();
  await dialog.getByRole('button', { name: building.name }).click();
  await dialog.getByRole('button', { name: words.create }).dblclick();

  const key = (await dialog.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^lintel_[\w-]{43}$/);
  expect((await callApi(url, key, `/assets?buildingId=${building.id}`)).status).toBe(200);
  // A key that was not copied is lost, so closing asks.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  const row = other.getByRole('list', { name: words.title }).getByRole('listitem');
  await row.getByText(`${describeAccess(['view_assets'])} · 1 building`).waitFor();
  expect(await row.count()).toBe(1);
  const client = createTestClient(url, await signInAs(setting.server, admin));
  await expect.poll(async () => (await client.apiKeys.uses.query()).length).toBe(1);
  await other.reload();
  await row.getByText('from 127.0.0.1').waitFor();
  expect(await page.locator('body').textContent()).not.toContain(key);

  await other.getByRole('button', { name: `${words.revoke} Monthly report` }).click();
  await other.getByRole('button', { name: words.revoke, exact: true }).click();
  await page.getByText(words.none).waitFor();
  expect((await callApi(url, key, '/assets')).status).toBe(401);
  await page.goto(new URL('/activity', page.url()).href);
  await page.getByText('Ada Bell revoked the API key').waitFor();
});

test('a key that has expired says so, and the reference opens from Settings', async () => {
  const page = await setting.open(admin, '/settings');
  await page.getByRole('button', { name: words.create }).click();
  const dialog = page.getByRole('dialog', { name: words.createTitle });
  await dialog.getByLabel('Name').fill('Old report');
  await dialog.getByLabel('Compliance tasks and their records').selectOption('Read and change');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { db, clock } = setting.server.services;
  await db
    .update(apiKeys)
    .set({ expiresAt: clock.now().toISOString() })
    .where(eq(apiKeys.name, 'Old report'));
  await page.reload();
  await page.getByText(words.expired, { exact: true }).waitFor();
  await page.getByRole('link', { name: words.reference }).click();
  await page.getByRole('heading', { name: 'Lintel API' }).waitFor();
});

test('what a program does is seen at once, and its key is named in Activity and under its comments', async () => {
  const { url } = setting.server;
  const client = createTestClient(url, await signInAs(setting.server, admin));
  const { key } = await createApiKey(client, { name: 'Boiler sensor' });
  const call = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const init = { method: 'POST', body: JSON.stringify(body) };
    const answer = await callApi(url, key, path, headers, init);
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const page = await setting.open(admin, `/building-issues?building=${building.id}`);
  const { id } = await call('/issues', { buildingId: building.id, title: 'Flow temperature too low' });
  await page.getByText('Flow temperature too low').waitFor();
  await page.goto(new URL(`/building-issues?building=${building.id}&issue=${id}`, page.url()).href);
  await call(`/issues/${id}/comments`, { body: 'Back to 60 °C' });
  const comment = page.getByRole('listitem').filter({ hasText: 'Back to 60 °C' });
  await comment.getByText('Ada Bell via Boiler sensor').waitFor();
  await page.goto(new URL('/activity', page.url()).href);
  await page.getByText('Ada Bell via Boiler sensor reported issue').waitFor();
});
