import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openAs } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const KB = 1000;
const FIRST_ROUTE = 130 * KB;
const ISSUES_PAGE = 180.2 * KB;

let setting: WebSetting;
let server: TestServer;
let browser: Browser;
let manager: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server, browser } = setting);
  const building = await createBuilding(server.services);
  manager = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

/** Returns the gzipped size of all JavaScript that a first visit loads. */
async function scriptBytes(path: string, heading: string, person: TestPerson | null): Promise<number> {
  const page = await openAs(browser, server, person);
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) bodies.push(response.body());
  });
  await page.goto(path);
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test.each([
  ['/', 'Lintel', FIRST_ROUTE],
  ['/auth/login', 'Sign In', FIRST_ROUTE],
])('%s fetches at most its budget of JavaScript', async (path, heading, budget) => {
  expect(await scriptBytes(path, heading, null)).toBeLessThanOrEqual(budget);
});

test('the first visit to the issues fetches at most its budget of JavaScript, in all', async () => {
  expect(await scriptBytes('/building-issues?building=all', 'Building Issues', manager)).toBeLessThanOrEqual(
    ISSUES_PAGE,
  );
});

test.each([
  ['a visitor', '/auth/login', 'Sign In', false],
  ['a manager', '/building-issues', 'Building Issues', true],
])('%s is requested once, by the early request', async (_who, path, heading, signedIn) => {
  const page = await openAs(browser, server, signedIn ? manager : null);
  const visit = async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/session\.(me|active)/.test(pathname)) asked.push(pathname);
    });
    await page.goto(path);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await page.waitForLoadState('networkidle');
    page.removeAllListeners('request');
    return asked;
  };
  await visit();
  // The browser now knows whether a person is signed in, so it makes only one of the two requests.
  expect(await visit()).toEqual([signedIn ? '/trpc/session.me' : '/trpc/session.active']);
});
