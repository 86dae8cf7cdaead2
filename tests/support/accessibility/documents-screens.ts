import type { Page } from 'playwright-core';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { pages } from '#web/app/pages.ts';
import type { Screens } from './screen.ts';

export const documentsScreens: Screens = {
  'the documents of a building': {
    path: pages.documents.path,
    who: 'viewer',
    heading: pages.documents.title,
    act: openFireSafety,
  },
  'a document whose file is gone': {
    path: pages.documents.path,
    who: 'viewer',
    heading: pages.documents.title,
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('link', { name: 'Service.pdf' }).click();
      await page.getByText(documentMessages.inaccessible).waitFor();
    },
  },
  'the management of documents': {
    path: `${pages.userManagement.path}?tab=documents&view=list`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('checkbox', { name: 'Select Plans' }).check();
      await page.getByRole('region', { name: 'Selected documents' }).waitFor();
    },
  },
  'a new folder': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('button', { name: 'New Folder' }).click();
      await page.getByLabel(documentMessages.folderNameLabel).waitFor();
    },
  },
  'a move of a folder': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('button', { name: 'Actions for Plans' }).click();
      await page.getByRole('menuitem', { name: 'Move' }).click();
      await page.getByRole('radio', { name: 'Drawings' }).waitFor();
    },
  },
  'the bin of a building': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await documentsOfHarbourHouse(page);
      await page.getByRole('button', { name: 'Bin' }).click();
      await page.getByText(browserMessages.binEmpty).waitFor();
    },
  },
};

async function documentsOfHarbourHouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Building: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await page.getByRole('link', { name: 'Fire Safety' }).waitFor();
}

/** Opens the discipline that has folders. */
async function openFireSafety(page: Page): Promise<void> {
  await documentsOfHarbourHouse(page);
  await page.getByRole('link', { name: 'Fire Safety' }).click();
  await page.getByRole('link', { name: 'Drawings' }).waitFor();
}
