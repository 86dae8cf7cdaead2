import { beforeAll, expect, test } from 'vitest';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { startReceiver } from '#tests/support/webhooks/receiver.ts';

// An administrator adds, manages and removes webhooks.

const setting = setUpWebSetting({ env: { webhookNetworks: ['127.0.0.1'] } });
let admin: TestPerson;
let building: TestBuilding;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin', firstName: 'Ada', lastName: 'Bell' });
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

test('a webhook is added, tried, seen in another window, repeated, switched off and on, and removed', async () => {
  const page = await setting.open(admin, '/settings');
  const other = await setting.open(admin, '/settings');
  await other.getByText(words.none).waitFor();

  await page.getByRole('button', { name: words.create }).click();
  const dialog = page.getByRole('dialog', { name: words.createTitle });
  await dialog.getByLabel('Name').fill('Helpdesk');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('helpdesk.example.com');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByText(words.urlInvalid).waitFor();
  await dialog.getByText(words.subjectsRequired).waitFor();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook');
  await dialog.getByLabel('Issues and their comments').check();
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByText(words.urlForbidden).waitFor();
  // The address of the receiver is known before the secret, which verifies the messages.
  const receiver = await startReceiver();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await dialog.getByRole('button', { name: words.create }).dblclick();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  receiver.verifyWith(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  const row = other.getByRole('list', { name: words.title }).getByRole('listitem');
  await row.getByText('Issues and their comments · All buildings').waitFor();
  expect(await row.count()).toBe(1);
  await page.getByRole('button', { name: `${words.test} Helpdesk` }).click();
  await page.getByText(words.testArrived).waitFor();
  expect(receiver.accepted.map(({ type }) => type)).toEqual(['webhook.test']);
  expect(receiver.forged()).toBe(0);

  receiver.react(() => 500);
  await reportIssues(setting.server, admin, building, [{ title: 'Lift stuck' }]);
  await page.getByRole('button', { name: `${words.deliveries} Helpdesk` }).click();
  const list = page.getByRole('dialog', { name: words.deliveriesTitle('Helpdesk') });
  await list.getByText(`${words.errors.status} (500)`).waitFor();
  await list.getByText(words.states.waiting, { exact: true }).waitFor();
  receiver.react(() => 200);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: `${words.switchOff} Helpdesk` }).click();
  await page.getByRole('button', { name: words.switchOff, exact: true }).click();
  await row.getByText(words.offReasons.person).waitFor();
  await other.getByRole('button', { name: `${words.switchOn} Helpdesk` }).click();
  await page.getByRole('button', { name: `${words.switchOff} Helpdesk` }).waitFor();
  // The event of the issue was waiting to be sent.
  const arrived = () => receiver.accepted.filter(({ data }) => data['title'] === 'Lift stuck').length;
  await expect.poll(arrived).toBe(1);
  await page.getByRole('button', { name: `${words.deliveries} Helpdesk` }).click();
  await list.getByRole('button', { name: new RegExp(`^${words.resend}: issue.created`) }).click();
  await expect.poll(arrived).toBe(2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: `${words.remove} Helpdesk` }).click();
  await page.getByRole('button', { name: words.remove, exact: true }).click();
  await other.getByText(words.none).waitFor();
  await receiver.close();
  await page.goto(new URL('/activity', page.url()).href);
  await page.getByText('Ada Bell removed the webhook').waitFor();
});
