import { beforeAll, expect, test } from 'vitest';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;
let code: string;

beforeAll(async () => {
  ({ server } = setting);
  code = await makeSetupCode(server.services.db, server.services.clock.now().toISOString());
});

test('start empty: the first person comes in without a role, claims the administrator, and Setup Mode ends', async () => {
  const page = await setting.window(null);
  await page.goto(`/setup?code=${code}`);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Marsh');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('a-long-and-rare-one');
  await page.getByRole('button', { name: 'Start empty' }).click();

  await page.waitForURL('**/user-management');
  await page.getByRole('heading', { name: 'Setup Mode' }).waitFor();
  await page
    .getByText(
      "You don't have admin privileges yet. You can assign yourself admin role below to get full access.",
    )
    .waitFor();
  expect(await page.getByLabel('One-time code').inputValue()).toBe(code);
  const second = await page.context().newPage();
  await second.goto('/user-management');
  await second.locator('[data-live=live]').waitFor();
  await page
    .getByRole('article', { name: 'Ada Marsh' })
    .getByLabel('Role')
    .selectOption('Admin - Full system access');
  await page.getByText('User role updated successfully').waitFor();
  await page.getByRole('heading', { name: 'Setup Mode' }).waitFor({ state: 'detached' });
  await second.getByRole('button', { name: userMessages.invite }).waitFor();

  // The next step, shown while there is no data yet.
  await second.goto('/dashboard');
  await second.getByRole('link', { name: messages.dashboard.addFirst }).click();
  // A building needs a client.
  await second.getByText(placeMessages.firstClient).waitFor();
  await second.getByLabel('Client Name').fill('Harbour Estates');
  await second.getByRole('button', { name: 'Add Client' }).click();
  await second.getByRole('button', { name: 'Client: Harbour Estates' }).waitFor();
  await second.goto('/building-issues');
  await second.getByRole('heading', { name: 'No buildings yet' }).waitFor();
  await second.getByRole('link', { name: 'Add Building' }).waitFor();
  await second.goto('/user-management');
  await second.locator('[data-live=live]').waitFor();

  // Setup Mode has ended for the other window, too, so a former administrator cannot use it again.
  const client = createTestClient(
    server.url,
    await signInAs(server, await createPerson(server.services, { role: 'admin' })),
  );
  const { data: people } = await client.users.list.query();
  const userId = people.find(({ email }) => email === 'ada@example.com')?.id ?? '';
  await client.users.setRole.mutate({ operationId: uuidv7(), userId, role: 'viewer' });
  await second.getByText(messages.common.accessDenied).waitFor();
  expect(await second.getByRole('heading', { name: 'Setup Mode' }).count()).toBe(0);
  await client.users.setRole.mutate({ operationId: uuidv7(), userId, role: 'admin' });

  await page.goto('/dashboard');
  await page
    .getByRole('main')
    .getByRole('link', { name: /User Management/ })
    .waitFor();

  await page.goto('/setup');
  await page.getByText('Lintel has been set up already. Please sign in.').waitFor();
});
