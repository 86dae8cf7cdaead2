import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let building: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

describe('what a person finds', () => {
  test('a person whose stored role is unknown finds every page closed but Sign Out', async () => {
    const stranger = await createPerson(server.services, { role: 'superuser', buildings: [building.id] });
    const page = await setting.window(stranger);
    for (const path of ['/dashboard', '/building-issues', '/user-management']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Unauthorized Access' }).waitFor();
    }
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/auth/login');
  });
});

describe('the landing page', () => {
  test('Learn More scrolls to what it does and changes neither address nor history', async () => {
    const page = await setting.window(null);
    await page.goto('/');
    const before = await page.evaluate(() => [location.href, history.length]);
    await page.getByRole('button', { name: 'Learn More' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('heading', { name: 'What it does' })
          .evaluate((node) => node.getBoundingClientRect().top),
      )
      .toBeLessThan(400);
    expect(await page.evaluate(() => [location.href, history.length])).toEqual(before);
  });
});
