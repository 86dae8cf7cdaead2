import { beforeAll, describe, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;

beforeAll(async () => {
  ({ server } = setting);
  await createPerson(server.services, {
    role: 'admin',
    email: 'ada@example.com',
    password: TEST_PASSWORD,
  });
});

describe('signing in', () => {
  test('leads back to the page that was asked for, with its filters', async () => {
    const page = await setting.window(null);
    await page.goto('/user-management?q=ada');
    await page.waitForURL('**/auth/login');
    await fillIn(page, 'ada@example.com', TEST_PASSWORD);
    await page.waitForURL('**/user-management?q=ada');
    await page.getByText('You have signed in successfully.').waitFor();
  });

  test('in one tab signs in the others, and signing out signs them all out', async () => {
    const one = await setting.window(null);
    const two = await one.context().newPage();
    await one.goto('/auth/login');
    await two.goto('/auth/login');
    await fillIn(one, 'ada@example.com', TEST_PASSWORD);
    await one.waitForURL('**/dashboard');
    await two.waitForURL('**/dashboard');
    await one.getByRole('button', { name: 'User menu' }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    await one.getByText('You have been signed out successfully.').waitFor();
    await two.waitForURL('**/auth/login');
  });
});
