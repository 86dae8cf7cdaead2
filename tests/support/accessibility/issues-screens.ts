import type { Page } from 'playwright-core';
import { pages } from '#web/app/pages.ts';
import { openDetails } from '../screens/issues-screen.ts';
import { HERE, type Screens } from './screen.ts';

const issues = `${pages.buildingIssues.path}?building=all`;

export const issuesScreens: Screens = {
  'issues, none chosen': { path: pages.buildingIssues.path, who: 'viewer', heading: 'Select a Building' },
  'the board': { path: issues, who: 'manager', heading: 'Building Issues' },
  'the cards': { path: `${issues}&view=cards`, who: 'manager', heading: 'Building Issues' },
  'the list': { path: `${issues}&view=list`, who: 'manager', heading: 'Building Issues' },
  'nothing found': { path: `${issues}&q=nothing+says+this`, who: 'manager', heading: /No Issues Match/ },
  'the filters': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: (page) => openFilter(page, 'Priority'),
    actOnPhone: (page) => openFilter(page, 'Filters'),
  },
  'a report': {
    path: `${issues}&report=${HERE}`,
    who: 'manager',
    heading: /^Report New Issue/,
    act: async (page) => {
      await page.getByRole('button', { name: 'Create Issue' }).click();
      await page.getByText('Title is required').waitFor();
    },
  },
  'the details of an issue': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: (page) => openDetails(page, 'Lift 2 stuck'),
  },
  'the details for reading': {
    path: issues,
    who: 'viewer',
    heading: 'Building Issues',
    act: (page) => openDetails(page, 'Lift 2 stuck'),
  },
  'the keys': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: async (page) => {
      await page.getByRole('article').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
};

async function openFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByText('Critical').last().waitFor();
}
