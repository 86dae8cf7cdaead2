import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPerson } from '#tests/support/factories.ts';
import { openAs } from '#tests/support/pages.ts';
import type { TestServer } from '#tests/support/server.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server, browser } = setting);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

test('signing out says so, and not that the session has ended, though the stream ends before the answer', async () => {
  const page = await openAs(browser, server, await createPerson(server.services, { role: 'viewer' }));
  const socket = page.waitForEvent('websocket');
  await page.goto('/dashboard');
  await page.locator('[data-live=live]').waitFor();
  const closed = (await socket).waitForEvent('close');
  await page.route('**/trpc/session.signOut*', async (route) => {
    const response = await route.fetch();
    await closed;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You have been signed out successfully.').waitFor();
  await page.waitForURL('**/auth/login');
  expect(await page.getByText('Your session has ended. Please sign in again.').count()).toBe(0);
});
