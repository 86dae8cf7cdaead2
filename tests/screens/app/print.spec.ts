import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { beforeAll, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { createManyAssets } from '#tests/support/rows/many-assets.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';

// A list draws only the rows in sight; the printed page has all rows, with their filter and their number.

const ASSETS = 180;
const ISSUES = 130;
const setting = setUpWebSetting();
let admin: TestPerson;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin' });
  const sql = postgres(setting.database.ownerUrl);
  await createManyAssets(sql, { assets: ASSETS, buildings: 2, now: new Date() });
  await createManyIssues(sql, { issues: ISSUES, buildings: 2, now: new Date() });
  await sql.end();
});

const printedRows = (page: Page) => page.locator('[data-printed]').count();

/** Opens a page that counts what the browser would print. */
async function open(path: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await setting.window(admin);
  await prepare?.(page);
  await page.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
      document.body.dataset['rows'] = String(document.querySelectorAll('[data-printed]').length);
      document.body.dataset['head'] = document.querySelector('[data-printed-head]')?.textContent ?? '';
      window.dispatchEvent(new Event('afterprint'));
    };
  });
  await page.goto(path);
  return page;
}
const printed = (page: Page, what: 'rows' | 'head') => page.locator('body').getAttribute(`data-${what}`);

test('the browser prints the rows that are loaded, and says how many there are', async () => {
  const page = await open('/asset-management?status=all');
  await page.locator('[data-asset]').first().waitFor();
  const inSight = await page.locator('[data-asset]').count();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => printedRows(page)).toBeGreaterThan(inSight);
  const head = await page.locator('[data-printed-head]').textContent();
  expect(head).toMatch(/^All buildings · All · The first \d+ of 180 assets · /);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => printedRows(page)).toBe(0);
});

test.each([
  ['/asset-management?status=all', ASSETS, /^All buildings · All · 180 assets · /],
  ['/building-issues?building=all&view=list', ISSUES, /^All buildings · 130 issue\(s\) · /],
  ['/building-issues?building=all', ISSUES, /^All buildings · 130 issue\(s\) · /],
  [
    '/building-issues?building=all&view=cards&status=open',
    undefined,
    /^All buildings · Open · \d+ issue\(s\) · /,
  ],
  ['/locations', 2, /^2 clients · /],
])('Print loads all rows of %s first', async (path, rows, head) => {
  const page = await open(path);
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await expect.poll(() => printed(page, 'rows')).not.toBeNull();
  if (rows !== undefined) expect(Number(await printed(page, 'rows'))).toBe(rows);
  expect(await printed(page, 'head')).toMatch(head);
});

test.each([
  ['/asset-management?status=all', 'assets.list', ASSETS],
  ['/building-issues?building=all&view=list', 'issues.list', ISSUES],
])('Print pressed before the rows of %s are here waits for them', async (path, procedure, rows) => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const page = await open(path, (blank) =>
    blank.route(`**/trpc/*${procedure}*`, (route) => released.then(() => route.continue())),
  );
  const asked = page.waitForRequest((request) => request.url().includes(procedure));
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('button', { name: 'Loading all rows…' }).waitFor();
  await asked;
  release();
  await expect.poll(() => printed(page, 'rows')).toBe(String(rows));
});

test.each([
  ['/asset-management?status=all', '[data-asset]'],
  ['/building-issues?building=all', '[data-card]'],
])('no date of %s breaks on A4, and a phone held sideways has the Print button', async (path, row) => {
  const page = await open(path);
  await page.locator(row).first().waitFor();
  await page.setViewportSize({ width: 718, height: 1047 });
  // The first movement of the pointer fetches the code that prints.
  await page.mouse.move(9, 300);
  await page.mouse.move(30, 320);
  await page.emulateMedia({ media: 'print' });
  const begin = () => page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => begin().then(() => printedRows(page))).toBeGreaterThan(0);
  const cells = page.locator('[data-printed] td').filter({ hasText: /^[A-Z][a-z]{2} \d{2}, \d{4}$/ });
  expect(await cells.count()).toBeGreaterThan(0);
  const lines = await cells.evaluateAll((all) =>
    all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getClientRects().length;
    }),
  );
  expect(Math.max(...lines)).toBe(1);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  const print = page.getByRole('button', { name: 'Print', exact: true });
  await page.setViewportSize({ width: 390, height: 667 });
  await print.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 667, height: 390 });
  await print.waitFor();
});

test('a list that is printed keeps its place on the screen', async () => {
  const page = await open('/asset-management?status=all');
  await page.locator('[data-asset]').first().waitFor();
  await page.mouse.move(600, 600);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  const before = await page.evaluate(() => window.scrollY);
  await page.pdf();
  await expect.poll(() => printedRows(page)).toBe(0);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
});
