import { eq } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessions } from '#db/schema/people.ts';
import { rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { enterAs, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';

// A phone with a signal but no answers: connections open, and no data arrives.

const setting = setUpWebSetting();
let proxy: TcpProxy;
let url: string;
let building: TestBuilding;
let omar: TestPerson;
let pat: TestPerson;
let context: BrowserContext;

beforeAll(async () => {
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  await createAsset(services, { buildingId: building.id, name: 'Exit sign', type: 'emergency_light' });
  omar = await createPerson(services, { role: 'operative', firstName: 'Omar', buildings: [building.id] });
  pat = await createPerson(services, { role: 'viewer', firstName: 'Pat', buildings: [] });
  const port = Number(new URL(setting.server.url).port);
  proxy = await startTcpProxy(() => port);
  url = `http://127.0.0.1:${proxy.port}`;
});
beforeEach(async () => {
  context = await setting.browser.newContext(PHONE);
  await enterAs(context, setting.server, omar, { url });
  const page = await context.newPage();
  await page.goto(`${url}/operative-tasks`);
  await page.getByText('Ready for offline', { exact: true }).first().waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.close();
  proxy.blackhole(true);
});
afterEach(() => proxy.blackhole(false));
afterAll(() => proxy.close());

/**
 * Opens a path with a paused clock and advances it by `ms`, so that the page shows its content within that time of its
 * own clock.
 */
async function openWithin(ms: number, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
  await page.goto(`${url}${path}`);
  await page.locator('#starting').waitFor({ state: 'detached' });
  await page.clock.runFor(ms);
  return page;
}

describe('where requests are not answered', () => {
  test('the app opens at once for the person on this phone, with what is kept, and says how old that is', async () => {
    const page = await openWithin(500, '/operative-tasks');
    await page.getByRole('link', { name: /BS 5266/ }).waitFor();
    const age = page.getByText(/^Saved on this phone /);
    expect(await age.count()).toBe(0);
    await page.clock.runFor(3_000);
    await age.waitFor();
    await page.clock.resume();
    proxy.blackhole(false);
    await page.locator('[data-live=live]').waitFor();
    await age.waitFor({ state: 'detached' });
  });

  test('a form opens with the rows of its site, and the dashboard with the name', async () => {
    const form = await openWithin(500, `/operative-tasks/emergency-lighting?site=${building.id}`);
    await form.getByText('Exit sign').first().waitFor();
    const dashboard = await openWithin(500, '/dashboard');
    await dashboard.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  });

  test('a page that the remembered permissions do not allow does not redirect before the server has answered', async () => {
    const page = await openWithin(500, '/building-issues');
    await page.getByText('Access Denied').waitFor();
    expect(new URL(page.url()).pathname).toBe('/building-issues');
  });

  test('a session that has ended meanwhile leads to the sign-in page with the answer, and nothing is left', async () => {
    const page = await openWithin(500, '/operative-tasks');
    await page.getByRole('link', { name: /BS 5266/ }).waitFor();
    await setting.server.services.db.delete(sessions).where(eq(sessions.userId, omar.id));
    await page.clock.resume();
    proxy.blackhole(false);
    await page.getByRole('heading', { name: 'Sign In' }).waitFor();
    await expect.poll(() => rowsOnPhone(page, 'copies')).toEqual([]);
    expect(await page.getByText('BS 5266').count()).toBe(0);
  });

  test('another person who is signed in by then finds nothing of the first', async () => {
    await enterAs(context, setting.server, pat, { url });
    const page = await openWithin(500, '/operative-tasks');
    await page.getByText('Harbour House').first().waitFor();
    await page.clock.resume();
    proxy.blackhole(false);
    await page.getByRole('heading', { name: 'Welcome back, Pat' }).waitFor();
    expect(await page.getByText('Harbour House').count()).toBe(0);
    const owners = async () =>
      (await rowsOnPhone<{ userId: string }>(page, 'copies')).map(({ userId }) => userId);
    await expect.poll(async () => (await owners()).filter((id) => id !== pat.id)).toEqual([]);
  });
});
