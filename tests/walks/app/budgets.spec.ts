import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openAs } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const KB = 1000;
const FIRST_ROUTE = 130 * KB;
const ISSUES_PAGE = 197 * KB;

const setting = setUpWebSetting();
let server: TestServer;
let browser: Browser;
let manager: TestPerson;

beforeAll(async () => {
  ({ server, browser } = setting);
  const building = await createBuilding(server.services);
  manager = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
});

/** Returns the gzipped size of all JavaScript that a first visit loads, and of each file. */
async function scriptBytes(path: string, heading: string, person: TestPerson | null) {
  const page = await openAs(browser, server, person);
  const files: Promise<{ name: string; size: number }>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    const sized = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    files.push(sized.then((size) => ({ name: basename(pathname), size })));
  });
  await page.goto(path);
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await page.waitForLoadState('networkidle');
  const found = await Promise.all(files);
  return {
    total: found.reduce((sum, { size }) => sum + size, 0),
    parts: found.map(({ name, size }) => `${name} ${size}`).join(', '),
  };
}

test('the first visit fetches at most its budget of JavaScript', async () => {
  for (const [path, heading, budget, person] of [
    ['/', 'Lintel', FIRST_ROUTE, null],
    ['/auth/login', 'Sign In', FIRST_ROUTE, null],
    ['/building-issues?building=all', 'Building Issues', ISSUES_PAGE, manager],
  ] as const) {
    const { total, parts } = await scriptBytes(path, heading, person);
    expect(total, `${path}: ${parts}`).toBeLessThanOrEqual(budget);
  }
});

test('whether a person is signed in is asked once, by the early request', async () => {
  for (const [person, path, heading, asked] of [
    [null, '/auth/login', 'Sign In', '/trpc/session.active'],
    [manager, '/building-issues', 'Building Issues', '/trpc/session.me'],
  ] as const) {
    const page = await openAs(browser, server, person);
    await sessionRequests(page, path, heading);
    // The browser knows by now whether a person is signed in, so it makes only one of the two requests.
    expect(await sessionRequests(page, path, heading)).toEqual([asked]);
  }
});

/** Visits a page, and returns the paths of its requests about the session. */
async function sessionRequests(page: Page, path: string, heading: string): Promise<string[]> {
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
}
