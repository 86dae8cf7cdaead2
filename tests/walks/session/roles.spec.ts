import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Role } from '#shared/permissions.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { PAGE_EXPECTATIONS } from '#tests/support/expectations/pages.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';
import { card, issueLink, live, reportIssues } from '#tests/support/screens/issues-screen.ts';

const setting = setUpWebSetting();
let building: TestBuilding;

beforeAll(async () => {
  const { server } = setting;
  building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const admin = await createPerson(server.services, { role: 'admin' });
  await reportIssues(server, admin, building, [{ title: 'Lift 2 stuck', description: 'Between two floors' }]);
});

type Expected = {
  greeting: string;
  text: string | null;
  /** Titles of the dashboard's cards, in order. */
  cards: readonly string[];
  reports: boolean;
  label: string;
  /** The theme's variable for the role's colour. */
  colour: string;
};

/** Expected screens by role, besides the links of `PAGE_EXPECTATIONS`. */
const EXPECTED: Readonly<Record<Role, Expected>> = {
  admin: {
    greeting: 'Dashboard',
    text: null,
    cards: [
      'Log Book',
      'Operative Tasks',
      'Locations',
      'Asset Management',
      'User Management',
      'Document Management',
      'Building Issues',
    ],
    reports: true,
    label: 'Admin',
    colour: '--color-bad',
  },
  manager: {
    greeting: 'Dashboard',
    text: null,
    cards: [
      'Log Book',
      'Operative Tasks',
      'Locations',
      'Asset Management',
      'Document Management',
      'Building Issues',
    ],
    reports: true,
    label: 'Manager',
    colour: '--color-info',
  },
  operative: {
    greeting: 'Welcome, Robin',
    text: 'Access your operative tasks below',
    cards: ['Operative Tasks'],
    reports: false,
    label: 'Operative',
    colour: '--color-ok',
  },
  viewer: {
    greeting: 'Welcome back, Robin!',
    text: 'Access your compliance documents and logbook records',
    cards: ['Safety Check Logbook', 'Building Documents', 'Building Issues'],
    reports: true,
    label: 'Viewer',
    colour: '--color-ink-2',
  },
};

async function windowOf(role: Role, path: string): Promise<Page> {
  const person = await createPerson(setting.server.services, {
    role,
    firstName: 'Robin',
    lastName: 'Hayes',
    buildings: [building.id],
  });
  const page = await setting.open(person, path);
  await live(page);
  return page;
}

/** Theme and sign-out items, which every menu has. */
const EVERYBODYS = ['Same as system (current)', 'Light', 'Dark', 'Sign out'];

test.each(Object.entries(EXPECTED))(
  'the dashboard and the header of a %s hold exactly what the role has',
  async (role, expected) => {
    // The cast: the keys of EXPECTED are the roles.
    const page = await windowOf(role as Role, '/dashboard');
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: expected.greeting, exact: true }).waitFor();
    if (expected.text !== null) await main.getByText(expected.text, { exact: true }).waitFor();
    // The cards are the first list; the list of due checks, which is loaded later, is another one.
    const titles = main.getByRole('list').first().getByRole('link').locator('span.font-semibold');
    expect(await titles.allTextContents()).toEqual(expected.cards);
    const navigation = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await navigation.allTextContents()).toEqual(linksOf(role, 'header'));
    expect(await page.getByRole('button', { name: 'Report Issue' }).count()).toBe(expected.reports ? 1 : 0);
    // The dashboard needs no link to itself.
    expect(await page.getByRole('link', { name: 'Return Home' }).count()).toBe(0);

    const opener = page.getByRole('button', { name: 'User menu' });
    // The first letter of the email address, which begins with the role's name here.
    expect((await opener.textContent())?.toUpperCase()).toBe(expected.label.charAt(0));
    await opener.click();
    const menu = page.getByRole('menu');
    await menu.getByText('Robin Hayes').waitFor();
    await menu.getByText(new RegExp(`^${role}-.*@example\\.com$`)).waitFor();
    const items = (await menu.getByRole('menuitem').allTextContents()).filter(
      (item) => !EVERYBODYS.includes(item),
    );
    expect(items).toEqual(linksOf(role, 'userMenu'));
    expect(await colourOf(page, expected)).toBe(true);
  },
);

/** Returns the texts of the links that a role has in a menu. */
function linksOf(role: string, menu: 'header' | 'userMenu'): string[] {
  return Object.values(PAGE_EXPECTATIONS).flatMap(({ roles, [menu]: text }) =>
    text !== undefined && roles.some((each) => each === role) ? [text] : [],
  );
}

/** Returns whether the role's name is shown in the role's colour. */
async function colourOf(page: Page, { label, colour }: Expected): Promise<boolean> {
  return page
    .getByRole('menu')
    .getByText(label, { exact: true })
    .evaluate((badge, name) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      return getComputedStyle(badge).color === wanted;
    }, colour);
}

test('a manager moves, edits and reports; Return Home leads back', async () => {
  const page = await windowOf('manager', '/building-issues');
  const issue = card(page, 'Open', 'Lift 2 stuck');
  await issue.waitFor();
  expect(await issue.getAttribute('draggable')).toBe('true');
  await issue.getByRole('button', { name: 'Move HAR-0001 to…' }).waitFor({ state: 'attached' });
  await issueLink(page, 'Lift 2 stuck').click();
  const dialog = page.getByRole('dialog', { name: 'Lift 2 stuck' });
  await dialog.getByRole('button', { name: 'Update Issue' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Report Issue', exact: true }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Return Home' }).click();
  await page.waitForURL('**/dashboard');
});

test('a viewer reads everything and changes nothing, reports, and comments on what was reported', async () => {
  const page = await windowOf('viewer', '/building-issues');
  const issue = card(page, 'Open', 'Lift 2 stuck');
  await issue.waitFor();
  expect(await issue.getAttribute('draggable')).not.toBe('true');
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
  await issueLink(page, 'Lift 2 stuck').click();
  const dialog = page.getByRole('dialog', { name: 'Lift 2 stuck' });
  await dialog
    .getByText(
      "You don't have permission to edit this issue. Contact an administrator if changes are needed.",
    )
    .waitFor();
  for (const label of ['Title', 'Description', 'Status', 'Priority']) {
    expect(await dialog.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
  }
  expect(await dialog.getByRole('button', { name: 'Update Issue' }).count()).toBe(0);
  expect(await dialog.getByLabel('Add a comment').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'Report Issue', exact: true }).waitFor();

  // People may comment on their own issues without further permissions.
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Report Issue' }).click();
  const report = page.getByRole('dialog', { name: 'Report Building Issue' });
  await report.getByRole('button', { name: 'Building: Choose a building...' }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await report.getByLabel('Title').fill('Lamp out in stair B');
  await report.getByRole('button', { name: 'Create Issue' }).click();
  await page.getByText('Issue reported successfully').waitFor();
  await report.waitFor({ state: 'hidden' });
  await page
    .getByRole('main')
    .getByRole('link', { name: /Building Issues/ })
    .click();
  await issueLink(page, 'Lamp out').click();
  await page.getByLabel('Add a comment').fill('It flickered before');
  await page.getByRole('button', { name: 'Add Comment' }).click();
  await page.getByRole('listitem').filter({ hasText: 'It flickered before' }).waitFor();
});
