import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import {
  card,
  column,
  issueLink,
  live,
  openDetails,
  reportIssues,
} from '#tests/support/screens/issues-screen.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

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
  test('at a site without issues there is one thing to do', async () => {
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
  test('a list that is narrowed loses the issue that stops to match, live', async () => {
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
  test('that makes no sense opens the page all the same', async () => {
    const page = await board(admin, '?building=nonsense&view=%00&status=lost&priority=&created=x&issue=1');
    await page.getByRole('heading', { name: 'Select a Building' }).waitFor();
  });
});

describe('by keyboard alone', () => {
  test('the menu of a card moves it without dragging', async () => {
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
  test('that is left while it is being saved moves no one from the page where they are then', async () => {
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
  test('that could not be sent stands in the box again, though the issue was closed meanwhile', async () => {
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
  test('a card that is on the screen opens while the server does not answer', async () => {
    const page = await board(manager, `?building=${harbour.id}`);
    await issueLink(page, 'Roof leak').waitFor();
    await page.route(/\/trpc\/[^?]*issues\.get/, refuseWith('internal'));
    await issueLink(page, 'Roof leak').click();
    const dialog = page.getByRole('dialog', { name: 'Roof leak' });
    await dialog.getByLabel('Title').waitFor();
    expect(await dialog.getByText('Failed to fetch building issues').count()).toBe(0);
  });

  test('a card that was just moved opens in its new status while the server does not answer', async () => {
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

  test('the person is not asked to choose a building before the buildings are known', async () => {
    const page = await setting.open(manager, '/dashboard');
    const release = await hold(page, 'locations\\.mine');
    await page.goto('/building-issues');
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Select a Building' }).count()).toBe(0);
    release();
    await page.getByText('Select a Building').first().waitFor();
  });

  test('six placeholder cards stand where the cards will be', async () => {
    const page = await setting.open(manager, '/dashboard');
    const release = await hold(page, 'issues\\.list');
    await page.goto(`/building-issues?building=${harbour.id}`);
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(6);
    release();
    await issueLink(page, 'Lift 2 stuck').waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(0);
  });

  test('a list that cannot be read says so, and Try again reads it', async () => {
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
    await again.waitFor();
    await page.getByText('Failed to fetch building issues').first().waitFor();
    await page.unroute(broken);
    await again.click();
    await issueLink(page, 'Lift 2 stuck').waitFor();
  });
});

describe('a report that the server refuses', () => {
  test('says so, and stays as it was typed', async () => {
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
  test('code that cannot be fetched leaves the page as it is, and a reload brings it', async () => {
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

test('the board has the columns that are asked for, and no others', async () => {
  const page = await board(admin, `?building=${harbour.id}&status=open,resolved`);
  await issueLink(page, 'Lift 2 stuck').waitFor();
  await column(page, 'Open').waitFor();
  await column(page, 'Resolved').waitFor();
  expect(await column(page, 'In Progress').count()).toBe(0);
});
