import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  TEST_PASSWORD,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let admin: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

async function openLive(person: TestPerson, path: string): Promise<Page> {
  const page = await setting.window(person);
  await page.goto(path);
  await page.locator('[data-live=live]').waitFor();
  return page;
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await cardOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('what one administrator does, seen by the person and by another administrator', () => {
  test('role, access and deactivation', async () => {
    const name = 'Vera Viewer';
    const vera = await createPerson(server.services, {
      role: 'viewer',
      firstName: 'Vera',
      lastName: 'Viewer',
    });
    const hers = await openLive(vera, '/dashboard');
    const mine = await openLive(admin, '/user-management');
    const other = await openLive(admin, '/user-management');
    await cardOf(mine, 'Ada Admin').getByText('(You)').waitFor();

    const toggle = cardOf(mine, name).getByRole('button', { name: 'Harbour House' });
    await toggle.click();
    await mine.getByText('Location access granted successfully').waitFor();
    await hers.getByText('You have been given access to more buildings.').waitFor();
    const seen = cardOf(other, name).getByRole('button', { name: 'Harbour House' });
    await expect.poll(() => seen.getAttribute('aria-pressed')).toBe('true');

    await toggle.click();
    await mine.getByText('Location access revoked successfully').waitFor();
    await hers.getByText('Your access to some buildings has been removed.').waitFor();
    await expect.poll(() => seen.getAttribute('aria-pressed')).toBe('false');

    await cardOf(mine, name)
      .getByLabel('Role')
      .selectOption({ label: 'Manager - Task and asset management' });
    await mine.getByText('User role updated successfully').waitFor();
    await hers.getByText('Your role is now Manager. This page has changed to match.').waitFor();
    await expect.poll(() => cardOf(other, name).getByLabel('Role').inputValue()).toBe('manager');

    await choose(mine, name, 'Role history');
    await mine.getByText('by Ada Admin').waitFor();
    await mine.getByRole('button', { name: 'Close' }).click();

    await choose(mine, name, 'Deactivate');
    await mine.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await mine.getByText('User deactivated successfully').waitFor();
    await hers.waitForURL('**/auth/login');
    await cardOf(other, name).getByText('Deactivated').waitFor();
    await choose(mine, name, 'Reactivate');
    await mine.getByText('User reactivated successfully').waitFor();
    await expect.poll(() => cardOf(other, name).getByText('Deactivated').count()).toBe(0);
    for (const page of [hers, mine, other]) await page.context().close();
  });
});

describe('an invitation', () => {
  test('is a link that is shown once, chooses a password, signs in, and then is not valid any more', async () => {
    const mine = await openLive(admin, '/user-management');
    await mine.getByRole('button', { name: 'Invite User' }).click();
    const dialog = mine.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText('Please enter a valid email address').waitFor();
    await dialog.getByLabel('Email').fill('ines@example.com');
    await dialog.getByLabel('First name').fill('Ines');
    await dialog.getByLabel('Last name').fill('Invited');
    await dialog.getByLabel('Role').selectOption('manager');
    await dialog.getByRole('button', { name: 'Harbour House' }).click();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const url = await mine.getByLabel('Link', { exact: true }).inputValue();
    await mine.getByRole('button', { name: 'Done' }).click();
    await cardOf(mine, 'Ines Invited').getByText('Invited', { exact: true }).waitFor();

    const hers = await setting.window(null);
    await hers.goto(url);
    await hers.getByRole('heading', { name: 'Welcome, Ines' }).waitFor();
    await hers.getByLabel('New password').fill('password1');
    await hers.getByRole('button', { name: 'Set password' }).click();
    await hers.getByText('This password is too common. Please choose another.').waitFor();
    await hers.getByLabel('New password').fill('a-password-of-my-own');
    await hers.getByRole('button', { name: 'Set password' }).click();
    await hers.waitForURL('**/dashboard');
    await expect
      .poll(() => cardOf(mine, 'Ines Invited').getByText('Invited', { exact: true }).count())
      .toBe(0);
    await hers.goto(url);
    await hers.getByText('This link is no longer valid.').waitFor();
    for (const page of [hers, mine]) await page.context().close();
  });
});

describe('one’s own account', () => {
  test('changes the name in the menu and the password', async () => {
    const person = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
    const page = await openLive(person, '/account');
    await page.getByLabel('First name').fill('Nova');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Your name has been changed').waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByText(/^Nova /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Current password').fill('not-it');
    await page.getByLabel('New password', { exact: true }).fill('a-password-of-my-own');
    await page.getByLabel('New password again').fill('a-password-of-my-own');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password').waitFor();
    await page.getByLabel('Current password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
  });
});

describe('disciplines', () => {
  test('are added, renamed and deleted in the words of the product, and shown in every window', async () => {
    const mine = await openLive(admin, '/user-management?tab=disciplines');
    const other = await openLive(admin, '/user-management?tab=disciplines');
    const add = async (name: string) => {
      await mine.getByRole('button', { name: 'Add Discipline' }).first().click();
      const dialog = mine.getByRole('dialog');
      await dialog.getByLabel('Discipline Name').fill(name);
      await dialog.getByRole('button', { name: 'Add Discipline' }).click();
      return dialog;
    };
    const blank = await add('   ');
    await blank.getByLabel('Discipline Name').waitFor();
    await mine.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await add('Fire Safety');
    await mine.getByText('Discipline added successfully').waitFor();
    await other.getByText('Fire Safety').waitFor();
    const refused = await add('fire safety');
    await refused.getByText('A discipline with this name already exists').waitFor();
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await refused.getByRole('button', { name: 'Discard' }).click();

    await mine.getByRole('button', { name: 'Edit Fire Safety' }).click();
    await mine.getByLabel('Discipline Name').fill('Fire');
    await mine.getByRole('button', { name: 'Save' }).click();
    await mine.getByText('Discipline updated successfully').waitFor();
    await other.getByText('Fire', { exact: true }).waitFor();

    for (const page of [mine, other]) await page.getByRole('button', { name: 'Edit Fire' }).click();
    for (const [page, name] of [
      [other, 'Alarms'],
      [mine, 'Fire Alarms'],
    ] as const) {
      await page.getByLabel('Discipline Name').fill(name);
      await page.getByRole('button', { name: 'Save' }).click();
      if (page === other) await mine.getByText('Alarms', { exact: true }).waitFor({ state: 'attached' });
    }
    await mine.getByText('Someone else has just saved “Alarms”.').waitFor();
    await mine.getByRole('button', { name: 'Keep mine' }).click();
    await mine.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Fire Alarms', { exact: true }).waitFor();
    await mine.getByRole('button', { name: 'Edit Fire Alarms' }).click();
    await mine.getByLabel('Discipline Name').fill('Fire');
    await mine.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Fire', { exact: true }).waitFor();

    await mine.getByRole('button', { name: 'Delete Fire' }).click();
    await mine
      .getByText(
        'This action cannot be undone. Documents using this discipline will retain their current discipline assignment.',
      )
      .waitFor();
    await mine.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await mine.getByText('Discipline deleted successfully').waitFor();
    await expect.poll(() => other.getByText('Fire', { exact: true }).count()).toBe(0);
    for (const page of [mine, other]) await page.context().close();
  });
});
