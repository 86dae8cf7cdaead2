import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { card, live, openDetails, reportByHand } from '#tests/support/screens/issues-screen.ts';

let setting: WebSetting;

beforeAll(async () => {
  setting = await createWebSetting();
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const MONA_THERE = { name: 'Mona Manager has this issue open' };
const VERA_THERE = { name: 'Vera Viewer has this issue open' };

async function twoPeople(role: 'manager' | 'operative') {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House' });
  const buildings = [building.id];
  const person = (firstName: string, lastName: string, own: 'manager' | 'operative' | 'viewer') =>
    createPerson(services, { role: own, firstName, lastName, buildings });
  const mona = await person('Mona', 'Manager', role);
  return { building, mona, vera: await person('Vera', 'Viewer', role === 'manager' ? 'viewer' : role) };
}

async function open(...[person, path, options]: Parameters<WebSetting['open']>): Promise<Page> {
  const page = await setting.open(person, path, options);
  await live(page);
  return page;
}

/** The top of a part of the page below the one where presence is shown. */
const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.y;

test('live/T8 who has an issue open is seen by the others, on its card and in it, while they do', async () => {
  const { building, mona, vera } = await twoPeople('manager');
  const board = `/building-issues?building=${building.id}`;
  const hers = await open(mona, board);
  const other = await open(vera, board);
  await reportByHand(hers, 'Harbour House', 'Lift 2 stuck');

  await openDetails(hers, 'Lift 2 stuck');
  await card(other, 'Open', 'Lift 2 stuck').getByRole('img', MONA_THERE).waitFor();
  const details = await openDetails(other, 'Lift 2 stuck');
  await details.getByRole('img', MONA_THERE).waitFor();
  await hers.getByRole('dialog').getByRole('img', VERA_THERE).waitFor();
  // People do not see themselves.
  expect(await hers.getByRole('img', MONA_THERE).count()).toBe(0);

  // A person who opens a link sees at once who is there.
  const [address] = other.url().split('#');
  await other.goto('/dashboard');
  await hers.getByRole('dialog').getByRole('img', VERA_THERE).waitFor({ state: 'hidden' });
  await other.goto(address ?? '');
  await other.getByRole('dialog').getByRole('img', MONA_THERE).waitFor();

  await hers.keyboard.press('Escape');
  await other.getByRole('dialog').getByRole('img', MONA_THERE).waitFor({ state: 'hidden' });
});

test('live/T8 the field that another person edits is named until it loses the focus', async () => {
  const { building, mona, vera } = await twoPeople('manager');
  const board = `/building-issues?building=${building.id}`;
  const hers = await open(mona, board);
  const other = await open(vera, board, { viewport: { width: 390, height: 844 } });
  await reportByHand(hers, 'Harbour House', 'Lift 2 stuck');
  const theirs = await openDetails(other, 'Lift 2 stuck');
  await theirs.getByText('No comments yet.').waitFor();
  await theirs.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor();
  const before = await topOf(other, '#issue-history');
  const form = await openDetails(hers, 'Lift 2 stuck');
  await theirs.getByRole('img', MONA_THERE).waitFor();

  const editing = theirs.getByText('Mona Manager is editing Description', { exact: true });
  const description = form.getByLabel('Description');
  await description.focus();
  await editing.waitFor();
  expect(await topOf(other, '#issue-history')).toBe(before);
  await description.blur();
  await editing.waitFor({ state: 'detached' });
  // What is typed is nobody's business before it is saved.
  await description.fill('The door of the machine room is open');
  await editing.waitFor();
  expect(await theirs.getByText('machine room').count()).toBe(0);

  await form.getByLabel('Add a comment').focus();
  await theirs.getByText('Mona Manager is writing a comment').waitFor();
  await theirs.getByRole('img', MONA_THERE).waitFor();
  // Closing the window tells at once.
  await hers.close({ runBeforeUnload: false });
  await theirs.getByRole('img', MONA_THERE).waitFor({ state: 'detached' });
});
