import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import type { TestPerson } from '#tests/support/rows/factories.ts';
import { textFile, upload } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite } from '#tests/support/screens/documents-site.ts';
import { live, openDetails, reportByHand } from '#tests/support/screens/issues-screen.ts';
import { createMeeting } from '#tests/support/screens/presence-site.ts';

const MONA_THERE = { name: 'Mona Manager has this issue open' };

const setting = setUpWebSetting();

async function open(...[person, path, options]: Parameters<WebSetting['open']>): Promise<Page> {
  const page = await setting.open(person, path, options);
  await live(page);
  return page;
}

/** The top of a part of the page below the one where presence is shown. */
const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.y;

/** Opens a form on a phone, where the form has its status in its own head. */
async function openForm(person: TestPerson, path: string): Promise<Page> {
  const page = await setting.open(person, path, PHONE);
  await page.locator('#content [data-live=live]').waitFor();
  return page;
}

test('live/T8 a form says who else is testing at the site, and nothing in it moves', async () => {
  const { building, mona, vera } = await createMeeting(setting, 'operative');
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

test('live/T8 a preview shows who else looks at the document', async () => {
  const { viewer, manage, reading, fire } = await createDocumentsSite(setting);
  const hers = await manage();
  await upload(hers, textFile('Plan.txt', 'Ground floor'));
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

test('live/T8 the field that another person edits is named until it loses the focus', async () => {
  const { building, mona, vera } = await createMeeting(setting, 'manager');
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
  // Other people must not see a text before it is saved.
  await description.fill('The door of the machine room is open');
  await editing.waitFor();
  expect(await theirs.getByText('machine room').count()).toBe(0);

  await form.getByLabel('Add a comment').focus();
  await theirs.getByText('Mona Manager is writing a comment').waitFor();
  await theirs.getByRole('img', MONA_THERE).waitFor();
  // When the window closes, other people see it at once.
  await hers.close({ runBeforeUnload: false });
  await theirs.getByRole('img', MONA_THERE).waitFor({ state: 'detached' });
});
