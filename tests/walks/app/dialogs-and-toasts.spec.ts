import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';

let setting: WebSetting;
let harbour: TestBuilding;
let admin: TestPerson;
let manager: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  admin = await createPerson(services, { role: 'admin' });
  manager = await createPerson(services, { role: 'manager', buildings: [harbour.id] });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());
const errors = (page: Page) =>
  page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });

describe('a dialog that Escape closes gives the focus back', () => {
  test.each<[path: string, kind: string, opens: { button: RegExp; item?: RegExp }]>([
    ['/building-issues', 'a button', { button: /^Report Issue$/ }],
    ['/user-management', 'a button', { button: /^Invite User$/ }],
    ['/user-management', 'a menu', { button: /^Actions for/, item: /Role history/ }],
    ['/locations', 'a menu', { button: /^Actions for/, item: /Rename|Edit/ }],
    ['/user-management?tab=disciplines', 'a button', { button: /^Add Discipline$/ }],
  ])('%s, to %s', async (path, _kind, opens) => {
    const page = await setting.open(path === '/building-issues' ? manager : admin, path);
    const opener = page.getByRole('button', { name: opens.button }).first();
    await opener.click();
    if (opens.item !== undefined) await page.getByRole('menuitem', { name: opens.item }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('a mistake at a field is shown there, and only there', () => {
  test.each([
    ['/locations', 'Add Client', 'Client name is required'],
    ['/add-location', 'Save and Add New Location', 'Building name is required'],
    ['/add-building', 'Add Building', 'Client is required'],
  ])('%s', async (path, button, sentence) => {
    const page = await setting.open(admin, path);
    const submit = page.getByRole('button', { name: button, exact: true }).last();
    await submit.click();
    await page.getByText(sentence).first().waitFor();
    await submit.click();
    await page.getByText(sentence).first().waitFor();
    expect(await errors(page).count()).toBe(0);
  });
});

test("one's own new issue shows at once, although the mouse is over the board", async () => {
  await reportIssues(setting.server, manager, harbour, [{ title: 'Door closer broken' }]);
  const page = await setting.open(manager, '/building-issues');
  const column = page.getByRole('region', { name: 'Open', exact: true });
  await column.getByText('Door closer broken').hover();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Gate left open');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await column.getByText('Gate left open').waitFor();
  expect(await column.getByText(/waiting/).count()).toBe(0);
});
