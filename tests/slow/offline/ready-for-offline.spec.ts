import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterAs, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { type HttpProxy, startHttpProxy } from '#tests/support/network/http-proxy.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';

// "Ready for offline" is a promise: shown if and only if a start without a network works.

/** A file requested by the service worker only: no page of an operative needs it. */
const LATE_FILE = /^\/assets\/asset-labels-page-.*\.js$/;
/** The HTML page itself, which is fetched last. */
const LAST_FILE = '/index.html';

const setting = setUpWebSetting();
let proxy: HttpProxy;
let omar: TestPerson;

beforeAll(async () => {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House' });
  await createAsset(services, { buildingId: building.id, name: 'Exit sign', type: 'emergency_light' });
  omar = await createPerson(services, { role: 'operative', firstName: 'Omar', buildings: [building.id] });
});
beforeEach(async () => {
  proxy = await startHttpProxy(setting.server.url);
});
afterEach(() => proxy.close());

async function enter(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await setting.browser.newContext({ ...PHONE, ...options });
  await enterAs(context, setting.server, omar, { url: proxy.url });
  return context;
}

async function openTasks(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${proxy.url}/operative-tasks`);
  return page;
}

const onPhone = (page: Page): Locator => page.getByRole('region', { name: 'On this phone' });
const ready = (page: Page): Locator => onPhone(page).getByText('Ready for offline', { exact: true });
const getting = (page: Page): Locator => onPhone(page).getByText(/^Getting ready for offline… \d+%$/);
const notReady = (page: Page): Locator => onPhone(page).getByText('Not ready for offline yet');

/** Waits until the sites and the state of the stored app are shown. */
async function settled(page: Page): Promise<void> {
  await onPhone(page).getByText('Harbour House').waitFor();
}

async function opensWithoutNetwork(page: Page): Promise<void> {
  proxy.cutOff();
  await page.reload();
  await page.getByRole('link', { name: /BS 5266/ }).waitFor();
  await ready(page).waitFor();
}

const percentOf = async (page: Page) => Number(/(\d+)%/.exec((await getting(page).textContent()) ?? '')?.[1]);

describe('ready for offline', () => {
  test('is said once the last file is on the phone, and how far it is until then', async () => {
    proxy.decide((path) => (LATE_FILE.test(path) ? 'hold' : 'answer'));
    const page = await openTasks(await enter());
    await settled(page);
    // All but the held file and those after it are stored.
    await expect.poll(() => percentOf(page)).toBeGreaterThan(75);
    expect(await ready(page).count()).toBe(0);
    proxy.decide((path) => (path === LAST_FILE ? 'hold' : 'answer'));
    await expect.poll(() => percentOf(page)).toBeGreaterThan(75);
    expect(await ready(page).count()).toBe(0);
    proxy.decide(() => 'answer');
    await ready(page).waitFor();
    expect(await getting(page).count()).toBe(0);
    await opensWithoutNetwork(page);
  });

  test('is not said where the connection is lost before; it goes on later, and fetches nothing twice', async () => {
    proxy.decide((path) => (path === LAST_FILE ? 'hold' : 'answer'));
    const context = await enter();
    const page = await openTasks(context);
    await settled(page);
    await expect.poll(() => proxy.asked.includes(LAST_FILE)).toBe(true);
    proxy.cutOff();
    await notReady(page).waitFor();
    expect(await ready(page).count()).toBe(0);

    proxy.decide(() => 'answer');
    const before = proxy.asked.length;
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page).waitFor();
    // Without the page's own data requests.
    const again = proxy.asked.slice(before).filter((path) => !path.startsWith('/trpc'));
    expect(again).toEqual(['/sw.js', LAST_FILE]);
    await opensWithoutNetwork(page);
  });

  test('goes on by itself when the connection is back', async () => {
    proxy.decide((path) => (LATE_FILE.test(path) ? 'cut' : 'answer'));
    const context = await enter();
    const page = await openTasks(context);
    await notReady(page).waitFor();
    await context.setOffline(true);
    proxy.decide(() => 'answer');
    await context.setOffline(false);
    await ready(page).waitFor();
    await opensWithoutNetwork(page);
  });

  test('is taken back where the browser has removed what was kept, and comes back', async () => {
    const context = await enter();
    const page = await openTasks(context);
    await ready(page).waitFor();
    proxy.decide((path) => (path.startsWith('/trpc') ? 'answer' : 'hold'));
    await page.evaluate(async () => {
      for (const name of await caches.keys())
        if (name.startsWith('lintel-shell-') || name === 'lintel-assets') await caches.delete(name);
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await getting(page).waitFor();
    expect(await ready(page).count()).toBe(0);
    proxy.decide(() => 'answer');
    await ready(page).waitFor();
    await opensWithoutNetwork(page);
  });

  test('is said in two tabs alike', async () => {
    proxy.decide((path) => (LATE_FILE.test(path) ? 'hold' : 'answer'));
    const context = await enter();
    const [one, other] = [await openTasks(context), await openTasks(context)];
    for (const page of [one, other]) {
      await settled(page);
      await expect.poll(() => percentOf(page)).toBeGreaterThan(75);
      expect(await ready(page).count()).toBe(0);
    }
    proxy.decide(() => 'answer');
    await Promise.all([one, other].map((page) => ready(page).waitFor()));
  });

  test('is never said where the browser takes no worker, and why not is', async () => {
    const page = await openTasks(await enter({ serviceWorkers: 'block' }));
    await onPhone(page).getByText('Not available offline on this browser').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await onPhone(page).getByText('Not available offline on this browser').waitFor();
    expect(await ready(page).count()).toBe(0);
  });

  test('is never said on a phone that is full, and that is', async () => {
    const context = await enter();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 300_000 });
    await page.goto(`${proxy.url}/operative-tasks`);
    await onPhone(page).getByText('Not available offline: this phone is full').waitFor();
    expect(await ready(page).count()).toBe(0);
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url });
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page).waitFor();
  });

  // In the order of a first visit's requests: the page and its code, its data, and the service worker's files.
  test.each([8, 32, 56, 80, 104, 128])(
    'is kept where the network is lost after %d requests',
    async (most) => {
      let answered = 0;
      proxy.decide(() => {
        answered += 1;
        return answered > most ? 'cut' : 'answer';
      });
      const context = await enter();
      const page = await context.newPage();
      await page.goto(`${proxy.url}/operative-tasks`);
      await expect.poll(() => answered > most).toBe(true);
      proxy.cutOff();
      const promised = await ready(page).isVisible();
      const opens = await page.reload().then(
        () => true,
        () => false,
      );
      expect(opens || !promised).toBe(true);
      if (promised) await page.getByRole('link', { name: /BS 5266/ }).waitFor();
    },
  );
});
