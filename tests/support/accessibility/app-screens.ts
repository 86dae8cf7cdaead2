import type { Page } from 'playwright-core';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { pages } from '#web/app/pages.ts';
import type { Screens } from './screen.ts';

export const appScreens: Screens = {
  landing: { path: pages.home.path, who: 'visitor', heading: 'Lintel' },
  'sign in': { path: pages.signIn.path, who: 'visitor', heading: 'Sign In' },
  'sign in, refused': {
    path: pages.signIn.path,
    who: 'visitor',
    heading: 'Sign In',
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.getByText('Please enter a valid email address').waitFor();
    },
  },
  'set up': { path: pages.setup.path, who: 'visitor', heading: 'Set up Lintel' },
  'not found': { path: '/no-such-page', who: 'visitor', heading: '404' },
  unauthorized: { path: pages.unauthorized.path, who: 'admin', heading: 'Unauthorized Access' },
  "an administrator's dashboard": { path: pages.dashboard.path, who: 'admin', heading: 'Dashboard' },
  "an operative's dashboard": { path: pages.dashboard.path, who: 'operative', heading: /Welcome/ },
  "a viewer's dashboard": { path: pages.dashboard.path, who: 'viewer', heading: /Welcome back/ },
  'the user menu': {
    path: pages.dashboard.path,
    who: 'admin',
    heading: 'Dashboard',
    act: async (page) => {
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  },
  'the choice of a building': {
    path: `${pages.dashboard.path}?report=`,
    who: 'admin',
    heading: 'Dashboard',
    act: chooseBuilding,
    // The list of options is laid out for touch when it opens.
    actOnPhone: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
      await chooseBuilding(page);
    },
  },
  'my account': { path: pages.account.path, who: 'viewer', heading: pages.account.title },
  'an invitation that is not valid': { path: '/invite/x', who: 'visitor', heading: 'Link not valid' },
  'a forgotten password': { path: pages.forgot.path, who: 'visitor', heading: accountMessages.forgot },
  'a confirmation at a provider': {
    path: pages.reauthenticated.path,
    who: 'visitor',
    heading: reauthenticationMessages.notDoneTitle,
  },
  'a link that is not valid': { path: '/reset/x', who: 'visitor', heading: 'Link not valid' },
  'what is saved on this phone': { path: pages.sync.path, who: 'operative', heading: offlineMessages.title },
};

async function chooseBuilding(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Choose a building/ }).click();
  await page.getByRole('option').first().waitFor();
}
