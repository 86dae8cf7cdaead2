import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { card, column, issueLink, reportByHand } from '#tests/support/screens/issues-screen.ts';
import { createIssuesSite, type IssuesSite } from '#tests/support/screens/issues-site.ts';

const setting = setUpWebSetting();
let here: IssuesSite;

beforeEach(async () => {
  here = await createIssuesSite(setting);
});

const search = (page: Page) => new URL(page.url()).search;

test('an issue that a manager reports, drags, talks about and edits is seen by a viewer without a reload', async () => {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Quayside 4' });
  const at = { buildings: [building.id] };
  const ours = await here.board(await createPerson(services, { role: 'manager', ...at }));
  const theirs = await here.board(await createPerson(services, { role: 'viewer', ...at }));
  await theirs.getByRole('heading', { name: 'No Issues Found' }).waitFor();
  await reportByHand(ours, 'Quayside 4', 'Lift 2 stuck');
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
  await ours.getByRole('dialog').getByLabel('Priority').selectOption('High');
  await ours.getByRole('button', { name: 'Update Issue' }).click();
  await theirs.getByText('changed priority from Medium to High').waitFor();
});

test('a manager chooses a building or all of theirs, and narrows what is shown', async () => {
  const page = await here.board(here.manager);
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
  await page.goto(`/building-issues?building=${here.harbour.id}`);
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
  expect(search(page)).toBe(`?building=${here.harbour.id}`);
});

test('on a phone there is one column at a time, with filters in a sheet, nothing wider than the screen', async () => {
  const page = await here.board(here.manager, `?building=${here.harbour.id}`, PHONE);
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
  const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
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
