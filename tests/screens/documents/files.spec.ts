import { beforeEach, expect, test } from 'vitest';
import { addDays, dayOf } from '#shared/dates.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import type { TestBuilding, TestPerson } from '#tests/support/rows/factories.ts';
import { addFileRows } from '#tests/support/rows/file-rows.ts';
import { item, names } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock });
let of: DocumentsSite;
let site: TestBuilding;
let admin: TestPerson;
let viewer: TestPerson;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
  ({ site, admin, viewer } = of);
});

const files = (rows: Parameters<typeof addFileRows>[2]) =>
  addFileRows(setting.server.services, { buildingId: site.id, by: admin.id }, rows);
const general = (query?: string) => of.reading(GENERAL_PLACE, query);

test('a size has its word for bytes: B in the list, Bytes on a card (case 1)', async () => {
  await files([
    { fileName: 'empty.txt', fileSize: 0 },
    { fileName: 'small.pdf', fileSize: 1_536 },
    { fileName: 'whole.pdf', fileSize: 1_048_576 },
  ]);
  const page = await setting.open(viewer, general());
  await item(page, 'empty.txt').getByText('0 Bytes').waitFor();
  await item(page, 'small.pdf').getByText('1.5 KB').waitFor();
  await page.getByTitle('List').click();
  await item(page, 'empty.txt').getByRole('cell', { name: '0 B', exact: true }).waitFor();
  await item(page, 'whole.pdf').getByRole('cell', { name: '1 MB', exact: true }).waitFor();
  await page.getByRole('button', { name: 'File size' }).click();
  await expect.poll(() => names(page)).toEqual(['empty.txt', 'small.pdf', 'whole.pdf']);
});

test('expiry is marked, counted at the root, and filtered by', async () => {
  const today = dayOf(clock.now());
  await files([
    { fileName: 'old.pdf', expiresOn: addDays(today, -1) },
    { fileName: 'soon.pdf', expiresOn: addDays(today, 30) },
    { fileName: 'later.pdf', expiresOn: addDays(today, 31) },
    { fileName: 'never.pdf' },
  ]);
  const page = await setting.open(viewer, of.reading());
  await item(page, 'General').getByText('1 expired').waitFor();
  const filter = page.getByLabel('Filter by expiry');
  await filter.selectOption('Expired');
  await expect.poll(() => names(page)).toEqual(['old.pdf']);
  await item(page, 'old.pdf')
    .getByText(/^Expired /)
    .waitFor();
  await filter.selectOption('Expires soon');
  await expect.poll(() => names(page)).toEqual(['soon.pdf']);
  await filter.selectOption('Has an expiry date');
  await expect.poll(() => names(page)).toEqual(['later.pdf', 'old.pdf', 'soon.pdf']);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(['soon.pdf']);
});

test('of 5,000 files in one place only those in sight are drawn, and more come at the end', async () => {
  await files(Array.from({ length: 5_000 }, (_, n) => ({ fileName: `Sheet ${n + 1}.pdf` })));
  const page = await setting.open(viewer, general('&view=list'));
  await page.getByText(browserMessages.count(5_000)).waitFor();
  expect(await page.locator('[data-item]').count()).toBeLessThan(100);
  await page.getByTitle('Grid').click();
  await item(page, 'Sheet 1.pdf').waitFor();
  // The list ends at the last loaded row, so further pages are loaded one after the other.
  const further = page.getByRole('link', { name: /^Sheet [6-9]\d\d\.pdf$/ });
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return further.count();
    })
    .toBeGreaterThan(0);
  expect(await page.locator('[data-item]').count()).toBeLessThan(150);
});

test('on a phone documents are selected by their checkboxes and moved from the bar', async () => {
  await files([{ fileName: 'a.pdf' }, { fileName: 'b.pdf' }]);
  const page = await setting.open(admin, of.managing(GENERAL_PLACE), {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await live(page);
  const box = page.getByLabel('Select a.pdf');
  await box.waitFor();
  const target = await box.locator('..').boundingBox();
  expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(48);
  await box.tap();
  const bar = page.getByRole('region', { name: 'Selected documents' });
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Delete a.pdf?' });
  await dialog.getByText(browserMessages.deleteQuestion('1 file')).waitFor();
  // A second tap within half a second would count as the second half of a double tap.
  await expect
    .poll(async () => {
      const button = dialog.getByRole('button', { name: 'Delete' });
      if ((await button.count()) > 0) await button.tap({ timeout: 1_000 }).catch(() => undefined);
      return names(page);
    })
    .toEqual(['b.pdf']);
  await page.getByText(documentMessages.deleted).waitFor();
});

test('without a connection a place that was opened is read from this device, with its age', async () => {
  await files([{ fileName: 'a.pdf' }]);
  const page = await setting.open(viewer, general());
  await item(page, 'a.pdf').waitFor();
  await live(page);
  await page.getByRole('link', { name: documentMessages.root }).click();
  await item(page, 'General').waitFor();
  await item(page, 'General').getByRole('link').click();
  await item(page, 'a.pdf').waitFor();
  // A network on which all calls fail; only the app itself loads.
  await page.route('**/trpc/**', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Saved on this computer/).waitFor();
  await item(page, 'a.pdf').waitFor();
  await page.getByRole('link', { name: documentMessages.root }).click();
  await item(page, 'General').waitFor();
});

test('without a connection the places that were opened are searched, with their age', async () => {
  await files([{ fileName: 'Lift plan.pdf' }, { fileName: 'Letter.pdf' }]);
  const page = await setting.open(viewer, general());
  await item(page, 'Lift plan.pdf').waitFor();
  await live(page);
  await page.context().setOffline(true);
  const search = page.getByLabel(documentMessages.searchPlaceholder);
  await search.fill('lift');
  await expect.poll(() => names(page)).toEqual(['Lift plan.pdf']);
  await page.getByText(/^Saved on this computer/).waitFor();
  await page.getByText(browserMessages.keptSearch).waitFor();
  // From the root the whole building is searched, by the names of disciplines, too.
  await page.getByRole('link', { name: documentMessages.root }).click();
  await search.fill('general');
  await expect.poll(() => names(page)).toEqual(['Letter.pdf', 'Lift plan.pdf']);
  await search.fill('nothing like it');
  await page.getByRole('heading', { name: documentMessages.none }).waitFor();
  await page.context().setOffline(false);
  await search.fill('letter');
  await expect.poll(() => names(page)).toEqual(['Letter.pdf']);
  await expect.poll(() => page.getByText(browserMessages.keptSearch).count()).toBe(0);
});

test('without a connection and without a copy a search says that it needs one', async () => {
  const page = await setting.open(viewer, of.reading());
  await item(page, of.fireName).waitFor();
  await live(page);
  await page.context().setOffline(true);
  await page.getByLabel(documentMessages.searchPlaceholder).fill('lift');
  await page.getByText(browserMessages.searchNeedsServer).waitFor();
});
