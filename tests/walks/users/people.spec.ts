import { beforeAll, describe, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  TEST_PASSWORD,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { choosePassword } from '#tests/support/screens/accounts-screen.ts';
import { cardOf, choose, openLive } from '#tests/support/screens/people-screen.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;
let admin: TestPerson;

beforeAll(async () => {
  ({ server } = setting);
  await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});

describe('what one administrator does, seen by the person and by another administrator', () => {
  test('role, access and deactivation', async () => {
    const name = 'Vera Viewer';
    const vera = await createPerson(server.services, {
      role: 'viewer',
      firstName: 'Vera',
      lastName: 'Viewer',
    });
    const hers = await openLive(setting, vera, '/dashboard');
    const mine = await openLive(setting, admin, '/user-management');
    const other = await openLive(setting, admin, '/user-management');
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
  test('is a link, behind which the person chooses a password and is signed in', async () => {
    const mine = await openLive(setting, admin, '/user-management');
    await mine.getByRole('button', { name: 'Invite User' }).click();
    const dialog = mine.getByRole('dialog');
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
    await choosePassword(hers);
    await expect
      .poll(() => cardOf(mine, 'Ines Invited').getByText('Invited', { exact: true }).count())
      .toBe(0);
    for (const page of [hers, mine]) await page.context().close();
  });
});

describe('one’s own account', () => {
  test('changes the name in the menu and the password', async () => {
    const person = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
    const page = await openLive(setting, person, '/account');
    await page.getByLabel('First name').fill('Nova');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Your name has been changed').waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByText(/^Nova /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Current password').fill(TEST_PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('a-password-of-my-own');
    await page.getByLabel('New password again').fill('a-password-of-my-own');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
  });
});

describe('disciplines', () => {
  test('are added, renamed and deleted in the words of the product, and shown in every window', async () => {
    const mine = await openLive(setting, admin, '/user-management?tab=disciplines');
    const other = await openLive(setting, admin, '/user-management?tab=disciplines');
    await mine.getByRole('button', { name: 'Add Discipline' }).first().click();
    await mine.getByRole('dialog').getByLabel('Discipline Name').fill('Fire Safety');
    await mine.getByRole('dialog').getByRole('button', { name: 'Add Discipline' }).click();
    await mine.getByText('Discipline added successfully').waitFor();
    await other.getByText('Fire Safety').waitFor();
    await mine.getByRole('button', { name: 'Edit Fire Safety' }).click();
    await mine.getByLabel('Discipline Name').fill('Fire');
    await mine.getByRole('button', { name: 'Save' }).click();
    await mine.getByText('Discipline updated successfully').waitFor();
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
