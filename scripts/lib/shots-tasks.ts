import type { Page } from 'playwright-core';
import type { Shot } from './shot.ts';

const TASKS = '/compliance-details';

/** Opens the first building of the summary of all sites. */
async function firstSite(page: Page): Promise<void> {
  await page.locator('[data-site] a').first().click();
  await page.locator('[data-task]').first().waitFor();
}

async function firstMenu(page: Page): Promise<void> {
  await firstSite(page);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem').first().waitFor();
}

/** The compliance page as everyone sees it. */
export const COMPLIANCE: readonly Shot[] = [
  { name: 'compliance-sites', path: `${TASKS}?building=all` },
  { name: 'compliance', path: `${TASKS}?building=all`, act: firstSite },
  {
    name: 'compliance-record',
    path: `${TASKS}?building=all`,
    act: async (page) => {
      await firstSite(page);
      await page.getByRole('link', { name: /communal fire doors/ }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
];

/** The dialogs and menus of the compliance page, for people who edit tasks. */
export const COMPLIANCE_OPENED: readonly Shot[] = [
  { name: 'compliance-none', path: `${TASKS}?building=all&q=no-task-says-this` },
  {
    name: 'compliance-filters',
    path: `${TASKS}?building=all`,
    phone: true,
    act: (page) => page.getByRole('button', { name: /^Filters/ }).click(),
  },
  {
    name: 'compliance-selected',
    path: `${TASKS}?building=all`,
    act: async (page) => {
      await firstSite(page);
      await page
        .getByRole('checkbox', { name: /^Select HAR/ })
        .first()
        .check();
      await page.getByRole('region', { name: 'Selected tasks' }).waitFor();
    },
  },
  {
    name: 'compliance-reassign',
    path: `${TASKS}?building=all`,
    act: async (page) => {
      await firstSite(page);
      await page
        .getByRole('checkbox', { name: /^Select HAR/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Reassign…' }).click();
      await page.getByLabel('Responsible Person').waitFor();
    },
  },
  { name: 'compliance-menu', path: `${TASKS}?building=all`, act: firstMenu },
  {
    name: 'compliance-mark',
    path: `${TASKS}?building=all`,
    act: async (page) => {
      await firstMenu(page);
      await page.getByRole('menuitem', { name: /^Mark/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'compliance-calendar',
    path: `${TASKS}?building=all`,
    // On a narrower screen this is in the opened task.
    wide: 1024,
    act: async (page) => {
      await firstSite(page);
      await page
        .getByRole('button', { name: /^Last completed/ })
        .nth(1)
        .click();
      await page.getByRole('grid').waitFor();
    },
  },
];
