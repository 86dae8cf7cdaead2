import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let building: TestBuilding;
let admin: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, {
    role: 'admin',
    email: 'ada@example.com',
    password: TEST_PASSWORD,
  });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const person = (role: Role, firstName = 'Test') =>
  createPerson(server.services, { role, firstName, buildings: [building.id] });

async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test.each(['/dashboard', '/building-issues', '/user-management', '/unauthorized'])(
  '%s is not public: a visitor signs in first',
  async (path) => {
    const page = await setting.window(null);
    await page.goto(path);
    await page.waitForURL('**/auth/login');
  },
);

describe('signing in', () => {
  test('leads back to the page that was asked for, with its filters', async () => {
    const page = await setting.window(null);
    await page.goto('/user-management?q=ada');
    await page.waitForURL('**/auth/login');
    await fillIn(page, 'ada@example.com', TEST_PASSWORD);
    await page.waitForURL('**/user-management?q=ada');
    await page.getByText('You have signed in successfully.').waitFor();
  });

  test('says what is wrong with a field under it, and puts the focus there', async () => {
    const page = await setting.window(null);
    await page.goto('/auth/login');
    await fillIn(page, 'not an address', '12345');
    await page.getByText('Please enter a valid email address').waitFor();
    await page.getByText('Password must be at least 6 characters').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  });

  test('tells the same of an unknown address and a wrong password', async () => {
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const page = await setting.window(null);
      await page.goto('/auth/login');
      await fillIn(page, email, 'wrong-password');
      await page.getByText('Login failed').waitFor();
      await page.getByText('Invalid email or password.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/auth/login');
    }
  });

  test('never leads to an address that is not ours', async () => {
    const page = await setting.window(null);
    await page.goto('/auth/login');
    await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example/x' }, idx: 0 }, ''));
    await page.reload();
    await fillIn(page, 'ada@example.com', TEST_PASSWORD);
    await page.waitForURL(`${server.url}/dashboard`);
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

describe('what a person finds', () => {
  test('an operative is greeted by name, without links or buttons beyond the role', async () => {
    const page = await setting.window(await person('operative', 'Aisha'));
    await page.goto('/');
    await page.getByRole('heading', { name: 'Welcome, Aisha' }).waitFor();
    await page.getByText('Access your operative tasks below').waitFor();
    expect(await page.getByRole('button', { name: 'Report Issue' }).count()).toBe(0);
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Dashboard',
      'Compliance',
      'Log Book',
      'Operative Tasks',
    ]);
  });

  test('a viewer finds the issues, by card and by link', async () => {
    const page = await setting.window(await person('viewer', 'Vera'));
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Vera!' }).waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Building Issues/ })
      .waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Dashboard',
      'Compliance',
      'Log Book',
      'Locations',
      'Asset Management',
      'Building Issues',
    ]);
  });

  test.each([
    ['/user-management', 'viewer', "You don't have permission to access this feature."],
    ['/building-issues', 'operative', "You don't have permission to view building issues."],
  ] as const)('%s sends a %s to the dashboard and says why', async (path, role, sentence) => {
    const page = await setting.window(await person(role));
    await page.goto(path);
    await page.waitForURL('**/dashboard');
    await page.getByText('Access Denied').waitFor();
    await page.getByText(sentence).waitFor();
  });

  test('a role that is lost while the page is open closes it in place, and says so', async () => {
    const viewer = await person('viewer');
    const page = await setting.window(viewer);
    await page.goto('/building-issues');
    await page.locator('[data-live=live]').waitFor();
    const client = createTestClient(server.url, await signInAs(server, admin));
    await client.users.setRole.mutate({ operationId: uuidv7(), userId: viewer.id, role: 'operative' });
    await page.getByText('Your role is now Operative. This page has changed to match.').waitFor();
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/building-issues');
  });
});
