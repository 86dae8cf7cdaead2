import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createAsset } from '#tests/support/checks.ts';
import { chooseFiles, openZone, textFile, uploaded } from '#tests/support/documents-screen.ts';
import { createDocumentsSite } from '#tests/support/documents-site.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/factories.ts';
import { card, live, openDetails, reportByHand } from '#tests/support/issues-screen.ts';
import { PHONE } from '#tests/support/pages.ts';
import { rare, test } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

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

/** A form has its status in its own head on a phone. */
async function openForm(person: TestPerson, path: string): Promise<Page> {
  const page = await setting.open(person, path, PHONE);
  await page.locator('#content [data-live=live]').waitFor();
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

rare('live/T8 a form says who else is testing at the site, and nothing in it moves', async () => {
  const { building, mona, vera } = await twoPeople('operative');
  const { services } = setting.server;
  const at = { buildingId: building.id };
  await createAsset(services, { ...at, name: 'Front Door', type: 'call_point' });
  await createAsset(services, { ...at, name: 'Exit sign', type: 'emergency_light' });
  const form = (slug: string) => `/operative-tasks/${slug}?site=${building.id}`;
  const hers = await openForm(mona, form('fire-alarm'));
  const site = hers.getByRole('button', { name: /^Site: / });
  await site.waitFor();
  const before = (await site.boundingBox())?.y;

  const other = await openForm(vera, form('emergency-lighting'));
  await hers.getByText('Vera Viewer is testing at this site too').waitFor();
  await other.getByText('Mona Manager is testing at this site too').waitFor();
  expect((await site.boundingBox())?.y).toBe(before);
  await other.goto(form('fire-alarm'));
  await hers.getByText('Vera Viewer is filling in this form too').waitFor();
  await other.goto('/operative-tasks');
  await hers.getByText('Vera Viewer').waitFor({ state: 'detached' });
  expect((await site.boundingBox())?.y).toBe(before);
});

rare('live/T8 a preview shows who else looks at the document', async () => {
  const { admin, viewer, managing, reading, fire } = await createDocumentsSite(setting);
  const hers = await open(admin, managing(fire));
  await openZone(hers);
  await chooseFiles(hers, textFile('Plan.txt', 'Ground floor'));
  await uploaded(hers, 1);
  await hers.getByRole('link', { name: 'Plan.txt', exact: true }).click();
  await hers.getByRole('dialog', { name: 'Plan.txt' }).getByText('Ground floor').waitFor();
  const other = await open(viewer, reading(fire));
  await other.getByRole('link', { name: 'Plan.txt', exact: true }).click();
  const preview = other.getByRole('dialog', { name: 'Plan.txt' });
  await preview.getByRole('img', { name: /is looking at this document$/ }).waitFor();
  const seen = hers.getByRole('dialog').getByRole('img', { name: /is looking at this document$/ });
  await seen.waitFor();
  await other.keyboard.press('Escape');
  await seen.waitFor({ state: 'detached' });
});
