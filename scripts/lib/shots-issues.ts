import type { Page, Route } from 'playwright-core';
import type { Shot } from './shot.ts';

export const ISSUES = '/building-issues?building=all';
const LONG_NAME = 'The Old Customs House and Bonded Warehouses at the Northern Quayside of Harbour 7';
const LONG_TITLE = 'Water is coming through the ceiling of the second floor corridor next to lift 2 and 3';

export const firstIssue: Shot = {
  name: 'issue-details',
  path: ISSUES,
  act: async (page) => {
    await page.locator('a[href*="issue="]').first().click();
    await page.getByRole('dialog').waitFor();
  },
};

/** Moves the first card by keyboard; the outcome depends on the network. */
async function moveFirst(page: Page): Promise<void> {
  await page.locator('[data-card] a').first().focus();
  await page.keyboard.press('Shift+ArrowRight');
}
const UPDATES = /trpc\/[^?]*issues\.update/;
const refuse = (route: Route) =>
  route.fulfill({
    status: 403,
    contentType: 'application/json',
    body: JSON.stringify([
      { error: { message: 'forbidden', code: -32003, data: { app: { code: 'forbidden' } } } },
    ]),
  });
const never = () => new Promise<void>(() => undefined);

async function withLongNames(route: Route): Promise<void> {
  try {
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll(/Harbour House|Northgate Estates/g, LONG_NAME)
      .replaceAll(/Gas smell in boiler room|Nurse call dead in rooms 9 to 12/g, LONG_TITLE)
      .replaceAll(/Sam Taylor|"lastName":"Taylor"/g, (name) =>
        name.startsWith('"') ? '"lastName":"Featherstonehaugh-Cholmondeley"' : 'Samuel Featherstonehaugh',
      );
    await route.fulfill({ response, body });
  } catch {
    // The page has been closed, so nothing needs the answer any more.
  }
}
const long = (shot: Shot): Shot => ({
  ...shot,
  name: `long-names-${shot.name}`,
  prepare: (page) => page.route(/\/trpc\//, withLongNames),
});

export const ISSUE_STATES: readonly Shot[] = [
  {
    name: 'issues-loading',
    path: ISSUES,
    prepare: (page) => page.route(/trpc\/[^?]*issues\.list/, never),
    until: (page) => page.locator('[data-skeleton]').first().waitFor(),
  },
  {
    name: 'issues-error',
    path: ISSUES,
    prepare: (page) => page.route(/trpc\/[^?]*issues\./, (route) => route.abort()),
    until: (page) => page.getByRole('button', { name: 'Try again' }).first().waitFor(),
  },
  {
    name: 'issues-offline',
    path: ISSUES,
    until: async (page) => {
      await page.locator('[data-card]').first().waitFor();
      await page.locator('[data-live=live]').waitFor();
      await page.context().setOffline(true);
      await page.locator('[data-live=offline]').waitFor();
    },
  },
  {
    name: 'issues-pending',
    wide: true,
    path: ISSUES,
    prepare: (page) => page.route(UPDATES, never),
    until: moveFirst,
  },
  {
    name: 'issues-refused',
    wide: true,
    path: ISSUES,
    prepare: (page) => page.route(UPDATES, refuse),
    until: async (page) => {
      await moveFirst(page);
      await page.getByRole('button', { name: 'Dismiss' }).first().waitFor();
    },
  },
  long({ name: 'issues', path: ISSUES }),
  long({ name: 'issues-cards', path: `${ISSUES}&view=cards` }),
  long({ name: 'issues-list', path: `${ISSUES}&view=list` }),
  long(firstIssue),
  long({ name: 'dashboard', path: '/dashboard' }),
  long({ name: 'locations', path: '/locations' }),
  long({ name: 'assets', path: '/asset-management' }),
  long({ name: 'users', path: '/user-management' }),
];
