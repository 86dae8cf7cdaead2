import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { card, issueLink, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';

let setting: WebSetting;
let harbour: TestBuilding;
let mill: TestBuilding;
let manager: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  const { server } = setting;
  const { id: clientId } = await createClient(server.services);
  harbour = await createBuilding(server.services, { clientId, name: 'Harbour House', code: 'HAR' });
  mill = await createBuilding(server.services, { clientId, name: 'Mill Lane Studios', code: 'MIL' });

  manager = await createPerson(server.services, { role: 'manager', buildings: [harbour.id, mill.id] });
  admin = await createPerson(server.services, { role: 'admin' });
  await reportIssues(server, admin, harbour, [
    { title: 'Lift 2 stuck', description: 'Between two floors', priority: 'critical' },
    { title: 'Scuffed paint', priority: 'low' },
    { title: 'Roof leak', priority: 'high' },
  ]);
  await reportIssues(server, admin, mill, [{ title: 'Studio 6 without heating', priority: 'high' }]);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const board = (person: TestPerson, query = '', options = {}) =>
  setting.open(person, `/building-issues${query}`, options);
const search = (page: Page) => new URL(page.url()).search;

describe('choosing', () => {
  test('a building is chosen first; a person with several may see all of theirs together', async () => {
    const page = await board(manager);
    await page.getByRole('heading', { name: 'Select a Building' }).waitFor();
    expect(await page.getByRole('button', { name: /^Report/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Building: Select a building' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'All My Sites',
      'Harbour House',
      'Mill Lane Studios',
    ]);
    await page.getByRole('option', { name: 'All My Sites' }).click();
    await page.getByText('4 issue(s)').waitFor();
    await card(page, 'Open', 'Studio 6').getByText('Mill Lane Studios').waitFor();
    await page.getByRole('button', { name: 'Report at a site…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Report Issue', exact: true }).count()).toBe(0);

    // The next visit opens with the last choice; a URL with a building takes precedence.
    await page.goto('/building-issues');
    await page.getByText('4 issue(s)').waitFor();
    expect(search(page)).toBe('?building=all');
    await page.goto(`/building-issues?building=${harbour.id}`);
    await page.getByText('3 issue(s)').waitFor();

    const office = await board(admin);
    await office.getByRole('button', { name: 'Building: Select a building' }).click();
    await office.getByRole('option', { name: 'View All Sites' }).waitFor();
  });
});

describe('filters', () => {
  test('narrow what is shown, say so, and are cleared together', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await page.getByText('3 issue(s)').waitFor();
    await page.getByRole('button', { name: 'Priority', exact: true }).click();
    await page.getByRole('option', { name: 'High' }).click();
    await page.getByRole('option', { name: 'Critical' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Showing 2 of 3 issues').waitFor();
    await page.getByRole('button', { name: 'Created: All Time' }).waitFor();
    await page.getByRole('button', { name: /^Created/ }).click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['All Time', 'This Week', 'This Month', 'Overdue']);
    await page.getByRole('option', { name: 'Overdue' }).click();
    await page.getByRole('heading', { name: 'No Issues Match Your Filters' }).waitFor();
    await page.getByText('Showing 0 of 3 issues').waitFor();
    expect(search(page)).toContain('created=overdue');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText('3 issue(s)').waitFor();
    expect(search(page)).toBe(`?building=${harbour.id}`);
  });
});

describe('the address', () => {
  test('gives the same screen after a reload, on the way back, and to a colleague', async () => {
    const query = `?building=${harbour.id}&view=list&priority=critical,low&q=s`;
    const page = await board(manager, query);
    const rows = page.getByRole('row');
    await page.getByText('Showing 2 of 3 issues').waitFor();
    await rows.filter({ hasText: 'Scuffed paint' }).getByRole('link').click();
    const dialog = page.getByRole('dialog', { name: 'Scuffed paint' });
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    expect(await page.getByLabel('Search issues').inputValue()).toBe('s');
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    expect(search(page)).toBe(query);
    await page.goForward();
    await dialog.waitFor();

    const colleague = await setting.open(admin, page.url());
    await colleague.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    await colleague.keyboard.press('Escape');
    await colleague.getByText('Showing 2 of 3 issues').waitFor();
  });
});

describe('by keyboard alone', () => {
  test('search, report, walk from card to card, open, move, list the keys', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await card(page, 'Open', 'Roof leak').waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-card]')?.querySelector('a')?.textContent);

    await page.keyboard.press('/');
    await page.keyboard.type('o');
    expect(await page.getByLabel('Search issues').inputValue()).toBe('o');
    await page.keyboard.press('Backspace');
    await page.getByText('3 issue(s)').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : 0,
    );

    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Search issues').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });

    await card(page, 'Open', 'Roof leak').getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('Scuffed paint');
    await page.keyboard.press('End');
    await expect.poll(focused).toContain('Lift 2 stuck');
    await page.keyboard.press('Home');
    await expect.poll(focused).toContain('Roof leak');
    await page.keyboard.press('Shift+ArrowRight');
    await card(page, 'In Progress', 'Roof leak').waitFor();
    await expect.poll(focused).toContain('Roof leak');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toContain('Scuffed paint');

    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Resolved' }).waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'Open', 'Scuffed paint').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.keyboard.press('c');
    const report = page.getByRole('dialog', { name: 'Report New Issue - Harbour House' });
    await expect
      .poll(() => report.getByLabel('Title').evaluate((box) => box === document.activeElement))
      .toBe(true);
    await page.keyboard.type('Typed by hand');
    await page.keyboard.press('Enter');
    await page.getByText(/^Issue HAR-\d{4} created successfully$/).waitFor();
    await card(page, 'Open', 'Typed by hand').waitFor();
  });
});

describe('an open form', () => {
  test('with changes asks before it closes; without, it just closes', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    const dialog = await openDetails(page, 'Lift 2 stuck');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await openDetails(page, 'Lift 2 stuck');
    await dialog.getByLabel('Description').fill('Not between floors after all');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard what you have changed?').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Not between floors after all');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await card(page, 'Open', 'Lift 2 stuck').getByText('Between two floors').waitFor();
  });
});

describe('without a connection', () => {
  test('details open from what is there, a move is refused with its reason, and all goes on when it is back', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await live(page);
    const issue = card(page, 'Open', 'Lift 2 stuck');
    // Moving the pointer preloads the code that a click will need.
    const fetched = page.waitForResponse(/issue-details.*\.js/);
    await issue.hover();
    await (await fetched).finished();
    await page.mouse.move(0, 0);
    await page.context().setOffline(true);
    await page.getByText('Offline').waitFor();
    await issue.getByRole('link').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page
      .getByText('Failed to update building issue. No connection. Your change was not saved.')
      .waitFor();
    await issue.waitFor();
    await issueLink(page, 'Lift 2 stuck').click();
    await page.getByRole('dialog').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('dialog', { name: 'Lift 2 stuck' }).getByLabel('Title').waitFor();
    await live(page);
  });
});

describe('on a phone', () => {
  test('one column at a time, filters in a sheet, nothing wider than the screen', async () => {
    const page = await board(manager, `?building=${harbour.id}`, PHONE);
    await issueLink(page, 'Lift 2 stuck').waitFor();
    await page.getByRole('button', { name: /^In Progress/ }).click();
    await expect.poll(() => search(page)).toContain('column=in_progress');
    await page.getByRole('button', { name: /^Open/ }).click();
    await issueLink(page, 'Lift 2 stuck').waitFor();

    await page.getByRole('button', { name: 'Filters' }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByText('Critical').click();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await issueLink(page, 'Scuffed paint').waitFor({ state: 'detached' });
    const [wide, inner] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      window.innerWidth,
    ]);
    expect(wide).toBeLessThanOrEqual(inner ?? 0);

    const small = await page
      .locator('main button:visible, main a:visible, header button:visible')
      .evaluateAll((nodes) =>
        nodes
          .filter((node) => node.getBoundingClientRect().height < 40 && !node.closest('article'))
          .map((node) => node.textContent ?? ''),
      );
    expect(small).toEqual([]);
    await issueLink(page, 'Lift 2 stuck').click();
    const dialog = page.getByRole('dialog', { name: 'Lift 2 stuck' });
    // Comments and photos are shown first; the form opens with one tap.
    await dialog.getByLabel('Add a comment').waitFor();
    expect(await dialog.getByLabel('Title').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Edit Issue' }).click();
    await dialog.getByLabel('Title').waitFor();
    const box = await dialog.getByLabel('Title').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
  });
});
