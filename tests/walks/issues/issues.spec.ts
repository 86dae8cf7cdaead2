import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let building: TestBuilding;
let manager: TestPerson;
let colleague: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id];
  manager = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Maya' });
  colleague = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Cole' });
  viewer = await createPerson(server.services, { role: 'viewer', buildings, firstName: 'Vera' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function openBoard(person: TestPerson, query = ''): Promise<Page> {
  const page = await setting.window(person);
  await page.goto(`/building-issues${query}`);
  await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
  return page;
}

async function report(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Report Issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report New Issue - Harbour House' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: 'Create Issue' }).click();
  await page
    .getByText(/^Issue HAR-\d{4} created successfully$/)
    .first()
    .waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole('article').filter({ hasText: title });

describe('two windows on the board', () => {
  test('an issue that one reports, drags and talks about is seen in the other without a reload', async () => {
    const [ours, theirs] = [await openBoard(manager), await openBoard(viewer)];
    await theirs.getByRole('heading', { name: 'No Issues Found' }).waitFor();
    await report(ours, 'Lift 2 stuck');
    await card(theirs, 'Open', 'Lift 2 stuck').waitFor();
    await theirs.getByText('1 issue(s)').waitFor();

    await card(ours, 'Open', 'Lift 2 stuck').dragTo(column(ours, 'Resolved'));
    await card(ours, 'Resolved', 'Lift 2 stuck').waitFor();
    await card(theirs, 'Resolved', 'Lift 2 stuck').waitFor();
    expect(await column(theirs, 'Resolved').getByRole('heading').textContent()).toBe('Resolved1');

    await theirs.getByRole('link', { name: /Lift 2 stuck/ }).click();
    await theirs.getByText("You don't have permission to edit this issue.").waitFor();
    await ours.getByRole('link', { name: /Lift 2 stuck/ }).click();
    await ours.getByLabel('Add a comment').fill('Engineer is on site');
    await ours.getByRole('button', { name: 'Add Comment' }).click();
    await theirs.getByText('Engineer is on site').waitFor();
    await theirs.getByText('changed status from Open to Resolved').waitFor();
  });

  test('of two who save the same field the second is asked', async () => {
    const ours = await openBoard(manager);
    await report(ours, 'Bin store');
    const theirs = await openBoard(colleague);
    for (const page of [ours, theirs]) await page.getByRole('link', { name: /Bin store/ }).click();
    await ours.getByLabel('Title').fill('Bin store door');
    await theirs.getByLabel('Title').fill('Bin store lock');
    await theirs.getByRole('button', { name: 'Update Issue' }).click();
    await theirs.getByText('Issue updated successfully').waitFor();
    await ours.getByText('Someone else has just saved “Bin store lock”.').waitFor();
    await ours.getByRole('button', { name: 'Keep mine' }).click();
    await ours.getByRole('button', { name: 'Update Issue' }).click();
    await card(theirs, 'Open', 'Bin store door').waitFor();
  });
});

describe('the address', () => {
  test('brings back building, view, filters, search and the open issue; Back leads out again', async () => {
    const page = await openBoard(manager);
    await report(page, 'Scuffed paint');
    await page.getByLabel('Search issues').fill('scuffed');
    await page.getByText(/^Showing 1 of \d+ issues$/).waitFor();
    await page.getByText('List', { exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Scuffed paint' }).getByRole('link').click();
    await page.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    const link = page.url();

    const other = await setting.window(viewer);
    await other.goto(link);
    await other.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    await other.locator('table[aria-rowcount="2"]').waitFor();

    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByRole('region', { name: 'Board' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=scuffed');
  });

  test('what was typed into a report outlives a reload', async () => {
    const page = await openBoard(manager);
    await page.keyboard.press('c');
    await page.getByLabel('Title').fill('Half a sentence');
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a sentence');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
