import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { addFileRows } from '#tests/support/rows/file-rows.ts';
import { focused, item, names } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';

// The documents by keyboard only, from the first row to the last dialog.

const setting = setUpWebSetting();
let of: DocumentsSite;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const isChecked = (page: Page, name: string) => item(page, name).getByRole('checkbox').isChecked();

/** Presses Tab until a button of the open dialog has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name, exact: true });
  await expect
    .poll(async () => {
      if (await button.evaluate((element) => element === document.activeElement)) return true;
      await page.keyboard.press('Tab');
      return false;
    })
    .toBe(true);
}

test.each(['', '&view=list'])('rows are walked, selected, renamed and deleted (%s)', async (query) => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await of.add(name);
  const page = await of.manage(of.fire, query);
  const [previous, next] = query === '' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  await item(page, 'a').getByRole('link').focus();
  await page.keyboard.press('End');
  expect(await focused(page)).toBe('g');
  await page.keyboard.press('Home');
  await page.keyboard.press(next);
  expect(await focused(page)).toBe('b');
  await page.keyboard.press('Space');
  await page.keyboard.press(`Shift+${next}`);
  await page.getByText('2 selected').waitFor();
  expect([await isChecked(page, 'b'), await isChecked(page, 'c')]).toEqual([true, true]);
  expect(await focused(page)).toBe('c');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Selected documents' }).waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('c');

  await page.keyboard.press('F2');
  await dialog(page, 'Rename').getByLabel(documentMessages.folderNameLabel).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Rename').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('c');
  await page.keyboard.press('F2');
  await dialog(page, 'Rename').getByLabel(documentMessages.folderNameLabel).waitFor();
  await page.keyboard.type('cc');
  await page.keyboard.press('Enter');
  await dialog(page, 'Rename').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('cc');

  await page.keyboard.press('Delete');
  await dialog(page, 'Delete cc?').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Delete cc?').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('cc');
  await page.keyboard.press('Delete');
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(['a', 'b', 'd', 'e', 'f', 'g']);
  // The next row has taken the place of the deleted one.
  await expect.poll(() => focused(page)).toBe('d');
  await page.keyboard.press(previous);
  expect(await focused(page)).toBe('b');
});

test('the last row is deleted, and the focus goes to the one before', async () => {
  for (const name of ['a', 'b']) await of.add(name);
  const page = await of.manage();
  await item(page, 'b').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('a');
});

test('a preview is opened, its neighbours are read, and the focus comes back to the row', async () => {
  await addFileRows(
    setting.server.services,
    { buildingId: of.site.id, by: of.admin.id },
    ['one.zip', 'two.zip', 'three.zip'].map((fileName) => ({
      fileName,
      fileType: 'application/zip',
      disciplineId: of.disciplineId,
    })),
  );
  const page = await setting.open(of.viewer, of.reading(of.fire));
  await item(page, 'one.zip').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await dialog(page, 'one.zip').waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog(page, 'three.zip').waitFor();
  await page.keyboard.press('ArrowLeft');
  await dialog(page, 'one.zip').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('one.zip');
});

test('a new name is typed over the old one without its ending', async () => {
  const { site, admin } = of;
  await addFileRows(setting.server.services, { buildingId: site.id, by: admin.id }, [
    { fileName: 'scan.0001.pdf', disciplineId: of.disciplineId },
  ]);
  const page = await of.manage();
  await item(page, 'scan.0001.pdf').getByRole('link').focus();
  await page.keyboard.press('F2');
  await dialog(page, 'Rename').getByLabel('File Name').waitFor();
  await page.keyboard.type('Fire certificate');
  await page.keyboard.press('Enter');
  await item(page, 'Fire certificate.pdf').waitFor();
});
