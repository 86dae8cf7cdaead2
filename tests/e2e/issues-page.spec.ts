import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import {
  createBuilding,
  createClient,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { card, column, issueLink, live, openDetails, reportIssues } from '#tests/support/issues-screen.ts';
import { PHONE } from '#tests/support/pages.ts';
import { refuseWith } from '#tests/support/refusals.ts';
import { rare, test } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let harbour: TestBuilding;
let mill: TestBuilding;
let empty: TestBuilding;
let manager: TestPerson;
let admin: TestPerson;
let newcomer: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  const { server } = setting;
  const { id: clientId } = await createClient(server.services);
  harbour = await createBuilding(server.services, { clientId, name: 'Harbour House', code: 'HAR' });
  mill = await createBuilding(server.services, { clientId, name: 'Mill Lane Studios', code: 'MIL' });
  empty = await createBuilding(server.services, { name: 'Empty Hall', code: 'EMP' });
  manager = await createPerson(server.services, { role: 'manager', buildings: [harbour.id, mill.id] });
  newcomer = await createPerson(server.services, { role: 'manager', buildings: [empty.id] });
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
/** Holds the calls of a procedure until released; then they continue to the server, or get the given answer. */
async function hold(page: Page, procedure: string, answer = (route: Route) => route.continue()) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`/trpc/[^?]*${procedure}`), async (route) => {
    await held;
    await answer(route);
  });
  return release;
}
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

  rare('at a site without issues there is one thing to do', async () => {
    const page = await board(newcomer);
    await page.getByRole('heading', { name: 'No Issues Found' }).waitFor();
    await page.getByText('0 issue(s)').waitFor();
    await page.getByRole('button', { name: 'Report First Issue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report New Issue - Empty Hall' });
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await dialog.getByText('Title is required').waitFor();
    expect(await dialog.getByLabel('Priority').inputValue()).toBe('medium');
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

  rare('a list that is narrowed loses the issue that stops to match, live', async () => {
    const [ours, theirs] = await Promise.all([
      board(manager, `?building=${mill.id}&status=open&view=cards`),
      board(admin, `?building=${mill.id}`),
    ]);
    await Promise.all([live(ours), live(theirs)]);
    await issueLink(ours, 'Studio 6').waitFor();
    await card(theirs, 'Open', 'Studio 6').getByRole('link').focus();
    await theirs.keyboard.press('Shift+ArrowRight');
    await ours.getByRole('heading', { name: 'No Issues Match Your Filters' }).waitFor();
    await theirs.keyboard.press('Shift+ArrowLeft');
    await issueLink(ours, 'Studio 6').waitFor();
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

  rare('that makes no sense opens the page all the same', async () => {
    const page = await board(admin, '?building=nonsense&view=%00&status=lost&priority=&created=x&issue=1');
    await page.getByRole('heading', { name: 'Select a Building' }).waitFor();
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

  rare('the menu of a card moves it without dragging', async () => {
    const page = await board(manager, `?building=${mill.id}`);
    const issue = card(page, 'Open', 'Studio 6');
    await issue.hover();
    await issue.getByRole('button', { name: /^Move MIL-/ }).click();
    await page.getByRole('menuitem', { name: 'Closed' }).click();
    await page.mouse.move(0, 0);
    await card(page, 'Closed', 'Studio 6').waitFor();
    const details = await openDetails(page, 'Studio 6');
    await details.getByLabel('Status').selectOption('Open');
    await details.getByRole('button', { name: 'Update Issue' }).click();
    await card(page, 'Open', 'Studio 6').waitFor();
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

  rare('that is left while it is being saved moves no one from the page where they are then', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    const dialog = await openDetails(page, 'Scuffed paint');
    const release = await hold(page, 'issues\\.update');
    await dialog.getByLabel('Description').fill('By the goods lift');
    await dialog.getByRole('button', { name: 'Update Issue' }).click();
    await dialog.getByRole('button', { name: 'Updating...' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const other = await openDetails(page, 'Roof leak');
    await other.getByLabel('Title').fill('Roof leak over stair B');
    release();
    await page.getByText('Issue updated successfully').waitFor();
    expect(await other.getByLabel('Title').inputValue()).toBe('Roof leak over stair B');
    expect(search(page)).toContain('issue=');
  });
});

describe('a comment', () => {
  rare('that could not be sent stands in the box again, though the issue was closed meanwhile', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    const dialog = await openDetails(page, 'Roof leak');
    const release = await hold(page, 'issues\\.comment\\?', refuseWith('not_found'));
    await dialog.getByLabel('Add a comment').fill('Roofer comes on Tuesday.');
    await dialog.getByRole('button', { name: 'Add Comment' }).click();
    await expect.poll(() => dialog.getByLabel('Add a comment').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    release();
    await page.getByText('Failed to add the comment').waitFor();
    await openDetails(page, 'Roof leak');
    expect(await dialog.getByLabel('Add a comment').inputValue()).toBe('Roofer comes on Tuesday.');
  });
});

describe('waiting and failing', () => {
  rare('a card that is on the screen opens while the server does not answer', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await issueLink(page, 'Roof leak').waitFor();
    await page.route(/\/trpc\/[^?]*issues\.get/, refuseWith('internal'));
    await issueLink(page, 'Roof leak').click();
    const dialog = page.getByRole('dialog', { name: 'Roof leak' });
    await dialog.getByLabel('Title').waitFor();
    expect(await dialog.getByText('Failed to fetch building issues').count()).toBe(0);
  });

  rare('a card that was just moved opens in its new status while the server does not answer', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    const issue = card(page, 'Open', 'Scuffed paint');
    await issue.waitFor();
    const release = await hold(page, 'issues\\.(update|get)');
    await issue.hover();
    await issue.getByRole('button', { name: /^Move HAR-/ }).click();
    await page.getByRole('menuitem', { name: 'Resolved' }).click();
    await page.mouse.move(0, 0);
    await card(page, 'Resolved', 'Scuffed paint').waitFor();
    const status = (await openDetails(page, 'Scuffed paint')).getByLabel('Status');
    expect(await status.inputValue()).toBe('resolved');
    release();
    // The server has answered both: the form shows the same.
    await page.getByText('No comments yet.').waitFor();
    expect(await status.inputValue()).toBe('resolved');
  });

  rare('the person is not asked to choose a building before the buildings are known', async () => {
    const page = await setting.open(manager, '/dashboard');
    const release = await hold(page, 'locations\\.mine');
    await page.goto('/building-issues');
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Select a Building' }).count()).toBe(0);
    release();
    await page.getByText('Select a Building').first().waitFor();
  });

  rare('six placeholder cards stand where the cards will be', async () => {
    const page = await setting.open(manager, '/dashboard');
    const release = await hold(page, 'issues\\.list');
    await page.goto(`/building-issues?building=${harbour.id}`);
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(6);
    release();
    await issueLink(page, 'Lift 2 stuck').waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(0);
  });

  rare('a list that cannot be read says so, and Try again reads it', async () => {
    const page = await setting.open(manager, '/dashboard');
    await live(page);
    const broken = /\/trpc\/[^?]*issues\./;
    await page.route(broken, (route) => route.abort());
    await page
      .getByRole('main')
      .getByRole('link', { name: /Building Issues/ })
      .click();
    await page.getByRole('button', { name: /^Building:/ }).click();
    await page.getByRole('option', { name: 'Harbour House' }).click();
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await again.waitFor({ timeout: 30_000 });
    await page.getByText('Failed to fetch building issues').first().waitFor();
    await page.unroute(broken);
    await again.click();
    await issueLink(page, 'Lift 2 stuck').waitFor();
  });
});

describe('a report that the server refuses', () => {
  rare('says so, and stays as it was typed', async () => {
    const page = await setting.open(manager, '/dashboard');
    await live(page);
    await page.route(/\/trpc\/[^?]*issues\.nextReference/, refuseWith('not_found'));
    const release = await hold(page, 'issues\\.create', refuseWith('not_found'));
    await page.getByRole('button', { name: 'Report Issue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Choose a building/ }).click();
    await page.getByRole('option', { name: 'Harbour House' }).click();
    await page.getByText('Failed to generate issue reference number').waitFor();
    // Beside the field rather than in a toast, which would outlast the report.
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await dialog.getByLabel('Title').fill('Gate will not close');
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await dialog.getByRole('button', { name: 'Creating...' }).waitFor();
    release();
    await page.getByText('Failed to report issue').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');

    await page.goto(`/building-issues?building=${harbour.id}`);
    await page.getByRole('button', { name: 'Report Issue' }).click();
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByText('Failed to create building issue').waitFor();
    // Cancel asks before it discards anything.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
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
    await page.getByRole('dialog', { name: 'Lift 2 stuck' }).getByLabel('Title').waitFor({ timeout: 30_000 });
    await live(page);
  });

  rare('code that cannot be fetched leaves the page as it is, and a reload brings it', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await live(page);
    const code = /assets\/issue-details.*\.js/;
    await page.route(code, (route) => route.abort());
    await issueLink(page, 'Lift 2 stuck').click();
    await page.getByText("The server can't be reached at the moment.").waitFor();
    await card(page, 'Open', 'Lift 2 stuck').waitFor();
    await page.unroute(code);
    await page.getByRole('button', { name: 'Reload' }).click();
    await openDetails(page, 'Lift 2 stuck');
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

rare('the board has the columns that are asked for, and no others', async () => {
  const page = await board(admin, `?building=${harbour.id}&status=open,resolved`);
  await issueLink(page, 'Lift 2 stuck').waitFor();
  await column(page, 'Open').waitFor();
  await column(page, 'Resolved').waitFor();
  expect(await column(page, 'In Progress').count()).toBe(0);
});
