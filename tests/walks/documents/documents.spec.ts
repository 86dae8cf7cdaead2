import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { item, menu, names, textFile, trail, upload } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite, inside } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';

const setting = setUpWebSetting();
let of: DocumentsSite;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
});

test('a reader walks down from the disciplines and back up, finds a document by its name, and changes nothing', async () => {
  const plans = await of.add('Plans');
  await of.add('Ground floor', inside(plans));
  const page = await setting.open(of.viewer, '/documents');
  await page.getByRole('heading', { name: documentMessages.title, level: 1 }).waitFor();
  // The only building of a person opens by itself.
  await page.getByRole('link', { name: of.fireName }).click();
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await item(page, 'Ground floor').waitFor();
  expect(await trail(page)).toEqual(['Disciplines', of.fireName, 'Plans']);
  await page.goBack();
  await item(page, 'Plans').waitFor();
  await page.goBack();
  await item(page, of.fireName).waitFor();
  await page.goForward();
  await item(page, 'Plans').waitFor();
  expect(await trail(page)).toEqual(['Disciplines', of.fireName]);
  // Nothing can be changed on this page, and it has no link to a page for changes.
  expect(await page.getByRole('button', { name: 'New Folder' }).count()).toBe(0);
  expect(await item(page, 'Plans').getAttribute('draggable')).toBeNull();
  expect(await page.getByRole('link', { name: browserMessages.manageElsewhere }).count()).toBe(0);

  await page.getByLabel(documentMessages.searchPlaceholder).fill('GROUND');
  await expect.poll(() => names(page)).toEqual(['Ground floor']);
  await menu(page, 'Ground floor', 'Show in its folder');
  await expect.poll(() => trail(page)).toEqual(['Disciplines', of.fireName, 'Plans']);
});

test('an administrator makes a folder, moves, uploads, deletes and restores; a reader sees it, and saves the file', async () => {
  await of.add('Loose');
  await of.add('Plans');
  const reader = await setting.open(of.viewer, of.reading(of.fire));
  await live(reader);
  const page = await of.manage();
  await page.getByRole('button', { name: 'New Folder' }).click();
  const making = page.getByRole('dialog', { name: documentMessages.newFolder });
  await making.getByLabel(documentMessages.folderNameLabel).fill('Roof');
  await making.getByTitle('Green').click();
  await making.getByRole('button', { name: documentMessages.createFolder }).click();
  await page.getByText(documentMessages.folderCreated).waitFor();
  await item(reader, 'Roof').waitFor();

  await item(page, 'Roof').dragTo(item(page, 'Plans'));
  await page.getByText(documentMessages.moved).waitFor();
  await menu(page, 'Loose', 'Move');
  const moving = page.getByRole('dialog', { name: 'Move' });
  await moving.getByText('Plans', { exact: true }).click();
  await moving.getByRole('button', { name: 'Move here' }).click();
  for (const window of [page, reader]) await expect.poll(() => names(window)).toEqual(['Plans']);

  await upload(page, textFile('Instructions.txt', 'Close the valve before the test.'));
  await reader.getByRole('link', { name: 'Instructions.txt', exact: true }).click();
  const preview = reader.getByRole('dialog');
  await preview.getByText('Close the valve before the test.').waitFor();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    preview.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Instructions.txt');
  expect(readFileSync(await download.path(), 'utf8')).toBe('Close the valve before the test.');
  await reader.keyboard.press('Escape');

  await item(page, 'Plans').getByRole('link').focus();
  await page.keyboard.press('Delete');
  const deleting = page.getByRole('dialog', { name: 'Delete Plans?' });
  await deleting.getByText(browserMessages.deleteQuestion('3 folders')).waitFor();
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(documentMessages.folderDeleted).waitFor();
  await item(reader, 'Plans').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bin', exact: true }).click();
  await page.getByRole('button', { name: 'Restore Plans' }).click();
  await page.getByText(browserMessages.binEmpty).waitFor();
  await page.getByRole('button', { name: 'Bin', exact: true }).click();
  for (const window of [page, reader]) await item(window, 'Plans').waitFor();
});
