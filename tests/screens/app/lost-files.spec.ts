import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isDrafted } from '#tests/support/browser/kept-on-phone.ts';
import { enterAs, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { type Fate, type HttpProxy, startHttpProxy } from '#tests/support/network/http-proxy.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';

// A file of the app is lost or never answered before the app is stored on the device.

const MAIN = /^\/assets\/index-.*\.js$/;
const BULK = /^\/assets\/start-.*\.js$/;
const STYLES = /^\/assets\/index-.*\.css$/;
const TASKS = /^\/assets\/operative-tasks-page-.*\.js$/;
const OPERATIVES_PART = /^\/assets\/operative-dashboard-.*\.js$/;
const DIALOG = /^\/assets\/report-issue-.*\.js$/;
const LATE_MS = 10_000;

const setting = setUpWebSetting();
let proxy: HttpProxy;
let omar: TestPerson;
let maya: TestPerson;
let buildingId: string;

beforeAll(async () => {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House' });
  buildingId = building.id;
  await createAsset(services, { buildingId, name: 'Exit sign', type: 'emergency_light' });
  omar = await createPerson(services, { role: 'operative', firstName: 'Omar', buildings: [building.id] });
  maya = await createPerson(services, { role: 'manager', firstName: 'Maya', buildings: [building.id] });
});
beforeEach(async () => {
  proxy = await startHttpProxy(setting.server.url);
});
afterEach(() => proxy.close());

/** Opens a phone without a service worker, which would have prefetched the files. */
async function newPhone(person: TestPerson | null = null): Promise<Page> {
  const context = await setting.browser.newContext({
    viewport: PHONE.viewport,
    serviceWorkers: 'block',
  });
  if (person !== null) await enterAs(context, setting.server, person, { url: proxy.url });
  return context.newPage();
}

const lose = (file: RegExp, fate: Fate) => proxy.decide((path) => (file.test(path) ? fate : 'answer'));
const notice = (page: Page) => page.getByRole('alert').filter({ hasText: "Lintel hasn't loaded." });
const signIn = (page: Page) => page.getByRole('heading', { name: 'Sign In' });
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();

describe('a first visit', () => {
  const FILES = [
    ['first script', MAIN],
    ['bulk of the code', BULK],
    ['style sheet', STYLES],
  ] as const;

  test.each(FILES)('whose %s is lost says so at once, and Try again opens the app', async (_what, file) => {
    lose(file, 'cut');
    const page = await newPhone();
    await page.goto(`${proxy.url}/auth/login`, { waitUntil: 'commit' });
    await notice(page).waitFor();
    proxy.decide(() => 'answer');
    await tryAgain(page);
    // If only the style sheet was lost, the page is already there behind the notice before the reload.
    await notice(page).waitFor({ state: 'detached' });
    await signIn(page).waitFor();
    expect(await notice(page).count()).toBe(0);
  });

  test.each(FILES)(
    'whose %s is not answered says so after a while, and goes away when it comes',
    async (_what, file) => {
      lose(file, 'hold');
      const page = await newPhone();
      await page.clock.install();
      await page.goto(`${proxy.url}/auth/login`, { waitUntil: 'commit' });
      await expect.poll(() => proxy.asked.some((path) => file.test(path))).toBe(true);
      // The file may be requested before the page has been parsed as far as the script that sets the timer.
      await page.locator('#root').waitFor({ state: 'attached' });
      expect(await notice(page).count()).toBe(0);
      await page.clock.fastForward(LATE_MS);
      await notice(page).waitFor();
      proxy.decide(() => 'answer');
      await signIn(page).waitFor();
      await notice(page).waitFor({ state: 'detached' });
    },
  );

  test('whose first script is lost once starts by itself', async () => {
    // The browser itself retries once after a broken connection.
    proxy.decide((path) =>
      MAIN.test(path) && proxy.asked.filter((one) => MAIN.test(one)).length <= 2 ? 'cut' : 'answer',
    );
    const page = await newPhone();
    await page.goto(`${proxy.url}/auth/login`, { waitUntil: 'commit' });
    await signIn(page).waitFor();
  });

  test('whose page is of a version that is gone fetches the new one, and does not do so for ever', async () => {
    lose(MAIN, 'gone');
    const page = await newPhone();
    await page.goto(`${proxy.url}/auth/login`, { waitUntil: 'commit' });
    await notice(page).waitFor();
    expect(proxy.asked.filter((path) => path === '/auth/login').length).toBe(2);
  });

  test('stays where it is when it is tried again without a network', async () => {
    lose(MAIN, 'cut');
    const page = await newPhone();
    await page.goto(`${proxy.url}/auth/login`, { waitUntil: 'commit' });
    await notice(page).waitFor();
    proxy.cutOff();
    await tryAgain(page);
    await page.getByRole('button', { name: 'Try again', disabled: false }).waitFor();
    await notice(page).waitFor();
  });
});

describe('the code of a page', () => {
  const missing = (page: Page) => page.getByRole('alert').filter({ hasText: "This page hasn't loaded." });
  const tasks = (page: Page) => page.getByRole('heading', { name: 'Operative Tasks' });
  const toTasks = (page: Page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: /Operative Tasks/ })
      .click();

  async function atHome(): Promise<Page> {
    const page = await newPhone(omar);
    await page.goto(`${proxy.url}/dashboard`);
    await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    return page;
  }

  test.each([
    ['is lost', 'cut'],
    ['is gone since a newer version was deployed', 'gone'],
  ] as const)(
    'that %s is told on the page, others still open, and Try again fetches it',
    async (_what, fate) => {
      lose(TASKS, fate);
      const page = await atHome();
      await toTasks(page);
      await missing(page).waitFor();
      await page.getByRole('link', { name: 'Lintel' }).click();
      await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
      await toTasks(page);
      await missing(page).waitFor();
      proxy.decide(() => 'answer');
      await tryAgain(page);
      await tasks(page).waitFor();
    },
  );

  test.each([
    ['a part of the page itself', OPERATIVES_PART, () => omar, '', 'Welcome'],
    ['what a dialog shows', DIALOG, () => maya, '?report=', 'Report Building Issue'],
  ])('is told as lost where it is %s', async (_what, file, person, query, heading) => {
    lose(file, 'cut');
    const page = await newPhone(person());
    await page.goto(`${proxy.url}/dashboard${query}${query && buildingId}`);
    await missing(page).waitFor();
    proxy.decide(() => 'answer');
    await tryAgain(page);
    await page.getByRole('heading', { name: heading }).waitFor();
    await missing(page).waitFor({ state: 'detached' });
  });

  test('that is not answered is told after a while, and drawn when it comes', async () => {
    lose(TASKS, 'hold');
    const page = await atHome();
    await page.clock.install();
    await toTasks(page);
    await expect.poll(() => proxy.asked.some((path) => TASKS.test(path))).toBe(true);
    await page.clock.fastForward(LATE_MS);
    await missing(page).waitFor();
    proxy.decide(() => 'answer');
    await tasks(page).waitFor();
  });

  test('is fetched again with nothing lost of what was typed in a form before', async () => {
    lose(TASKS, 'cut');
    const page = await newPhone(omar);
    const form = `${proxy.url}/operative-tasks/emergency-lighting`;
    await page.goto(form);
    await page.getByLabel('Operative').fill('Agency Sam');
    await expect.poll(() => isDrafted(page, 'Agency Sam')).toBe(true);
    await page.getByRole('link', { name: 'Back to Tasks' }).click();
    await missing(page).waitFor();
    proxy.decide(() => 'answer');
    await tryAgain(page);
    await tasks(page).waitFor();
    await page.goto(form);
    await expect.poll(() => page.getByLabel('Operative').inputValue()).toBe('Agency Sam');
  });
});
