import type { Page } from 'playwright-core';
import { SAMPLE_SITE_ID } from '#shared/features/locations/locations.ts';
import type { Shot } from './shot.ts';

const READ = `/documents?building=${SAMPLE_SITE_ID}`;
const MANAGE = `/user-management?tab=documents&building=${SAMPLE_SITE_ID}`;

/** Opens nested folders by their names, the outermost first. */
const enter =
  (...names: string[]) =>
  async (page: Page) => {
    for (const name of names) {
      await page.locator('[data-item]').getByRole('link', { name, exact: true }).click();
      await page.getByRole('navigation', { name: 'Folders' }).getByText(name, { exact: true }).waitFor();
    }
    await page.locator('[data-item]').first().waitFor();
  };
/** Opens the preview of a file in folders. */
const preview =
  (name: string, ...folders: string[]) =>
  async (page: Page) => {
    await enter(...folders)(page);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('dialog').locator('img:not(.invisible), pre, iframe, canvas').first().waitFor();
  };

/** Starts uploads that are still running when the picture is taken. */
async function upload(page: Page): Promise<void> {
  await enter('Fire Safety')(page);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  const network = await page.context().newCDPSession(page);
  const throughput = { latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await network.send('Network.emulateNetworkConditions', { ...throughput, offline: false });
  const file = (name: string, size: number) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(size, name),
  });
  await page
    .getByLabel('Choose files', { exact: true })
    .and(page.locator('input'))
    .setInputFiles([
      file('Fire strategy.dwg', 900_000),
      file('Sprinkler drawings.dwg', 2_400_000),
      file('Compartment survey.rvt', 3_000_000),
      file('Door schedule, all floors, revision C.xlsx', 1_200_000),
      file('Photos of the riser.zip', 2_000_000),
    ]);
  await page.getByRole('button', { name: /^(Show|Hide) uploads$/ }).waitFor();
  // On a phone the list is folded.
  const show = page.getByRole('button', { name: 'Show uploads' });
  if (await show.isVisible()) await show.click();
}

/** The documents as everyone reads them. */
export const DOCUMENTS: readonly Shot[] = [
  { name: 'documents', path: READ },
  { name: 'documents-grid', path: READ, act: enter('Fire Safety') },
  { name: 'documents-plans', path: READ, act: enter('Fire Safety', 'Floor plans') },
  { name: 'documents-list', path: `${READ}&view=list`, act: enter('Fire Safety') },
  { name: 'documents-found', path: `${READ}&view=list&search=fire` },
  {
    name: 'documents-preview-pdf',
    path: READ,
    act: preview('Fire risk assessment.pdf', 'Fire Safety', 'Risk assessments'),
  },
  {
    name: 'documents-preview-picture',
    path: READ,
    act: preview('First floor.png', 'Fire Safety', 'Floor plans'),
  },
  { name: 'documents-preview-text', path: READ, act: preview('Access and keys.txt', 'General') },
];

/** The further screens of people who manage documents. */
export const DOCUMENTS_MANAGED: readonly Shot[] = [
  { name: 'documents-managed', path: MANAGE, act: enter('Fire Safety') },
  {
    name: 'documents-new-folder',
    path: MANAGE,
    act: async (page) => {
      await enter('Fire Safety')(page);
      await page.getByRole('button', { name: 'New Folder' }).click();
      await page.getByLabel('Folder Name').fill('Fire doors');
    },
  },
  {
    name: 'documents-selected',
    path: `${MANAGE}&view=list`,
    act: async (page) => {
      await enter('Fire Safety')(page);
      await page.getByRole('checkbox', { name: 'Select Fire alarm service.pdf' }).check();
      await page.getByRole('checkbox', { name: 'Select Floor plans' }).check();
      await page.getByRole('region', { name: 'Selected documents' }).waitFor();
    },
  },
  {
    name: 'documents-move',
    path: MANAGE,
    act: async (page) => {
      await enter('Fire Safety')(page);
      await page.getByRole('button', { name: 'Actions for Fire alarm service.pdf' }).click();
      await page.getByRole('menuitem', { name: 'Move', exact: true }).click();
      await page.getByRole('radio', { name: 'Risk assessments' }).waitFor();
    },
  },
  {
    name: 'documents-details',
    path: MANAGE,
    act: async (page) => {
      await enter('Fire Safety', 'Risk assessments')(page);
      await page.getByRole('button', { name: 'Actions for Fire risk assessment.pdf' }).click();
      await page.getByRole('menuitem', { name: 'Details', exact: true }).click();
      await page.getByRole('dialog').getByText('Version 2').waitFor();
    },
  },
  {
    name: 'documents-certificate',
    path: '/compliance-details?building=all&q=LOLER',
    act: async (page) => {
      await page.locator('[data-site] a').first().click();
      await page.getByRole('link', { name: /LOLER/ }).first().click();
      await page.getByRole('list', { name: 'Certificates' }).waitFor();
      await page.getByRole('button', { name: /^Attach certificate/ }).waitFor();
    },
  },
];

/** Must be the last picture of an account, because unfinished uploads are shown on every later screen. */
export const UPLOADING: Shot = {
  name: 'documents-uploading',
  path: MANAGE,
  act: upload,
  until: async (page) => {
    await page
      .getByText(/^[1-9]\d*%$/)
      .first()
      .waitFor();
    await page.waitForFunction(() => !document.querySelector('.shimmer'));
  },
};
