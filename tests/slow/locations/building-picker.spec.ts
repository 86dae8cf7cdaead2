import type { Browser, Page } from 'playwright-core';
import postgres from 'postgres';
import { beforeAll, expect, test } from 'vitest';
import { openAs } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const BUILDINGS = 2_000;

const setting = setUpWebSetting();
let server: TestServer;
let browser: Browser;
let admin: TestPerson;

beforeAll(async () => {
  ({ server, browser } = setting);
  const sql = postgres(setting.database.ownerUrl, { max: 1, onnotice: () => undefined });
  await createManyIssues(sql, { issues: 20, buildings: BUILDINGS, now: new Date() });
  await sql.end();
  admin = await createPerson(server.services, { role: 'admin' });
});

async function openPicker(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Report Issue' }).click();
  await page.getByRole('button', { name: /Choose a building/ }).click();
  await page.getByRole('option').first().waitFor();
}

const chosen = (page: Page) => page.getByRole('button', { name: /^Building:/ }).textContent();

test('of 2,000 buildings the picker mounts few, however far one scrolls, and filters all', async () => {
  const page = await openAs(browser, server, admin);
  await openPicker(page);
  for (let step = 0; step < 30; step += 1) {
    await page.getByRole('listbox').evaluate((list) => {
      list.scrollTop += 1_500;
    });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.getByRole('option').count()).toBeLessThan(40);
  }
  await page.getByRole('combobox').pressSequentially('castle 1700');
  await page.getByRole('option', { name: 'Castle House 1700' }).waitFor();
});

test('by keyboard alone: arrows move, Home and End jump, Enter chooses, Escape leaves the dialog open', async () => {
  const page = await openAs(browser, server, admin);
  await openPicker(page);
  const active = () =>
    page.getByRole('combobox').evaluate((box) => {
      const id = box.getAttribute('aria-activedescendant');
      return id === null ? null : (document.getElementById(id)?.textContent ?? null);
    });
  const first = await active();
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).not.toBe(first);
  await page.keyboard.press('Home');
  await expect.poll(active).toBe(first);
  await page.keyboard.press('End');
  await expect.poll(async () => ((await active()) ?? first) !== first).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('quay 1006');
  await page.getByRole('option', { name: 'Quay House 1006' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => chosen(page)).toBe('Quay House 1006');
  await page.getByLabel('Title').waitFor();
});

test('with the pointer, inside the dialog: a press on a building chooses it and the form appears', async () => {
  const page = await openAs(browser, server, admin);
  await openPicker(page);
  const option = page.getByRole('option').nth(2);
  const name = (await option.textContent()) ?? 'none';
  await option.click();
  await expect.poll(() => chosen(page)).toBe(name);
  await page.getByLabel('Title').waitFor();
});

test('a record form finds every one of them', async () => {
  const page = await openAs(browser, server, admin);
  await page.goto('/operative-tasks/fire-alarm');
  await page.getByRole('button', { name: /^Site: / }).click();
  await page.getByRole('combobox').fill('castle 1700');
  await page.getByRole('option', { name: 'Castle House 1700' }).click();
  await page.getByRole('button', { name: 'Site: Castle House 1700' }).waitFor();
  await page.getByLabel('Test location').waitFor();
  // After a reload, the picker still knows the site's name.
  await page.reload();
  await page.getByRole('button', { name: 'Site: Castle House 1700' }).waitFor();
});

test('what no building answers to is said', async () => {
  const page = await openAs(browser, server, admin);
  await openPicker(page);
  await page.keyboard.type('no building is called this');
  await page.getByText('No buildings match your search.').waitFor();
});
