import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sessions } from '#db/schema/people.ts';
import { messages } from '#shared/messages.ts';
import { isDrafted, rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { enterAs, openAs } from '#tests/support/browser/pages.ts';
import { createPhone, type Phone } from '#tests/support/browser/phone.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { MIRROR_CACHE } from '#web/offline/storage/mirror-cache.ts';

const LIGHTS = '/operative-tasks/emergency-lighting';

const setting = setUpWebSetting();
let building: TestBuilding;
let light: string;
let proxy: TcpProxy;
let phone: Phone;
let url: string;
let online = true;

beforeAll(async () => {
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  const asset = { buildingId: building.id, name: 'Exit sign', type: 'emergency_light' } as const;
  ({ id: light } = await createAsset(services, asset));
  const port = Number(new URL(setting.server.url).port);
  proxy = await startTcpProxy(() => (online ? port : undefined));
  url = `http://127.0.0.1:${proxy.port}`;
  phone = await createPhone();
});
afterEach(() => phone.close());
afterAll(async () => {
  await phone.discard();
  await proxy.close();
});

function goOffline(): void {
  online = false;
  proxy.cut();
}

const operative = (email?: string) =>
  createPerson(setting.server.services, {
    role: 'operative',
    firstName: 'Omar',
    buildings: [building.id],
    ...(email === undefined ? {} : { email, password: TEST_PASSWORD }),
  });

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Counts the stored copies in IndexedDB and in the mirror. */
async function copiesOn(page: Page): Promise<[first: number, second: number]> {
  const first = await rowsOnPhone(page, 'copies');
  const second = await page.evaluate(async (cache) => {
    if (!(await caches.has(cache))) return 0;
    const requests = await (await caches.open(cache)).keys();
    return requests.filter(({ url: address }) => address.includes('/copies/')).length;
  }, MIRROR_CACHE);
  return [first.length, second];
}

/** Waits until the form's data is stored in both places. */
async function copied(page: Page): Promise<void> {
  await page.locator(`[data-row="${light}"]`).waitFor();
  await expect.poll(async () => Math.min(...(await copiesOn(page)))).toBeGreaterThan(0);
}

async function sessionsOf({ id }: TestPerson): Promise<number> {
  return setting.server.services.db.$count(sessions, eq(sessions.userId, id));
}

test('signing out says so, and not that the session has ended, though the stream ends before the answer', async () => {
  const { browser, server } = setting;
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
  await signOut(page);
  await page.getByText('You have been signed out successfully.').waitFor();
  await page.waitForURL('**/auth/login');
  expect(await page.getByText('Your session has ended. Please sign in again.').count()).toBe(0);
});

test('without a connection no one stays signed in, in any tab or at any start, until the server has answered', async () => {
  const omar = await operative();
  const first = await phone.open();
  await enterAs(first.context(), setting.server, omar, { url, lasting: true });
  await first.goto(`${url}/dashboard`);
  await expect.poll(() => first.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // Closing flushes cookies and session record to disk, so they survive the later kill.
  await phone.close();

  const page = await phone.open();
  await page.goto(`${url}${LIGHTS}?site=${building.id}`);
  await copied(page);
  await page.locator(`[data-row="${light}"]`).getByRole('button', { name: 'Fail' }).click();
  await page.getByLabel('What is wrong').fill('Lens is cracked');
  await expect.poll(() => isDrafted(page, 'Lens is cracked')).toBe(true);
  const other = await phone.open();
  await other.goto(`${url}/dashboard`);
  await other.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();

  goOffline();
  await signOut(other);
  await other.getByText(messages.session.signedOutHere).waitFor();
  await other.waitForURL('**/auth/login');
  await page.waitForURL('**/auth/login');
  expect(await copiesOn(other)).toEqual([0, 0]);
  expect(await isDrafted(other, 'Lens is cracked')).toBe(true);
  expect(await sessionsOf(omar)).toBe(1);

  // The latest writes to local storage are not on disk at this point.
  await phone.kill();
  const next = await phone.open();
  await next.goto(`${url}${LIGHTS}`);
  await next.waitForURL('**/auth/login');
  expect(await next.getByText('Omar').count()).toBe(0);

  online = true;
  await expect.poll(() => sessionsOf(omar)).toBe(0);
  await expect.poll(() => next.evaluate(() => localStorage.getItem('lintel.signed-out'))).toBe(null);
  expect(await next.evaluate(() => localStorage.getItem('lintel.session'))).toBe(null);
});

test('once the server has answered, a browser that is killed and started without a connection lets no one in', async () => {
  const omar = await operative('omar.killed@example.com');
  const first = await phone.open();
  await enterAs(first.context(), setting.server, omar, { url, lasting: true });
  await first.goto(`${url}/dashboard`);
  await first.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  await expect.poll(() => first.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // Closing flushes the session record to disk, so the kill restores it.
  await phone.close();
  const page = await phone.open();
  await page.goto(`${url}/dashboard`);
  await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  await signOut(page);
  await page.getByText(messages.session.signedOut).waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lintel.signed-out'))).toBe(null);
  expect(await sessionsOf(omar)).toBe(0);
  await phone.kill();
  goOffline();

  const next = await phone.open();
  const stored: (string | null)[] = [];
  await next.exposeFunction('tellStored', (text: string | null) => void stored.push(text));
  await next.addInitScript("tellStored(localStorage.getItem('lintel.session'))");
  await next.goto(`${url}/dashboard`);
  await next.getByText(messages.common.notReached).waitFor();
  // The record was restored by the kill, and does not sign the person in.
  expect(stored[0]).toContain(omar.id);
  expect(await next.getByText('Omar').count()).toBe(0);
  expect(await next.evaluate(() => localStorage.getItem('lintel.session'))).toBe(null);

  // A person who signs in again is remembered again.
  online = true;
  await next.goto(`${url}/auth/login`);
  await next.getByLabel('Email').fill('omar.killed@example.com');
  await next.getByLabel('Password').fill(TEST_PASSWORD);
  await next.getByRole('button', { name: 'Sign In' }).click();
  await next.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  goOffline();
  await next.reload();
  await next.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  online = true;
});

describe('a sign-out that the server has not answered', () => {
  async function signedOutUnanswered(person: TestPerson): Promise<Page> {
    const page = await setting.open(person, `${LIGHTS}?site=${building.id}`);
    await copied(page);
    await page.context().route(/session\.signOut/, (route) => route.abort());
    await page.goto('/dashboard');
    await signOut(page);
    await page.waitForURL('**/auth/login');
    return page;
  }

  test('leaves no copies where the tab is closed at once', async () => {
    const page = await setting.open(await operative(), `${LIGHTS}?site=${building.id}`);
    await copied(page);
    const context = page.context();
    await page.goto('/dashboard');
    const asked = new Promise<void>((resolve) => {
      void context.route(/session\.signOut/, () => resolve());
    });
    await signOut(page);
    await asked;
    await page.close();
    const next = await context.newPage();
    await next.goto('/lintel.svg');
    expect(await copiesOn(next)).toEqual([0, 0]);
  });

  test.each([
    ['local storage', () => localStorage.clear()],
    ['the cache', async () => void (await caches.delete('lintel-signed-out'))],
  ])('is still known where %s has lost it', async (_where, lose) => {
    const omar = await operative();
    const page = await signedOutUnanswered(omar);
    await page.goto('/lintel.svg');
    await page.evaluate(lose);
    await page.goto('/dashboard');
    await page.waitForURL('**/auth/login');
    expect(await page.getByText('Omar').count()).toBe(0);
    await page.context().unroute(/session\.signOut/);
    await expect.poll(() => sessionsOf(omar)).toBe(0);
  });

  test('is still known in a tab that is open while all of local storage is cleared', async () => {
    const omar = await operative();
    const page = await signedOutUnanswered(omar);
    const other = await page.context().newPage();
    await other.goto('/lintel.svg');
    await other.evaluate(() => localStorage.clear());
    await expect.poll(() => other.evaluate(() => localStorage.getItem('lintel.signed-out'))).toBe('yes');
    expect(await page.getByText('Omar').count()).toBe(0);
    await page.context().unroute(/session\.signOut/);
    await expect.poll(() => sessionsOf(omar)).toBe(0);
  });

  test('is answered before a person signs in again, and never ends the new session', async () => {
    const omar = await operative('omar@example.com');
    const page = await signedOutUnanswered(omar);
    const other = await page.context().newPage();
    await other.goto('/auth/login');
    const asked: string[] = [];
    page.context().on('request', (request) => {
      const procedure = /session\.(signOut|signIn)/.exec(request.url())?.[1];
      if (procedure !== undefined) asked.push(procedure);
    });
    await page.context().unroute(/session\.signOut/);
    await page.getByLabel('Email').fill('omar@example.com');
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    await other.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    expect(asked.at(-1)).toBe('signIn');
    expect(asked.filter((procedure) => procedure === 'signIn')).toHaveLength(1);
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    expect(await sessionsOf(omar)).toBe(1);
  });
});
