import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { contextOf, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';

// The number of taps that a person with a phone needs from the first page, with many buildings.

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const MOST = 4;
const setting = setUpWebSetting();
let of: DocumentsSite;
let manager: TestPerson;
let taps: number;

beforeAll(async () => {
  of = await createDocumentsSite(setting);
  const { services } = setting.server;
  const others = await Promise.all(
    Array.from({ length: 12 }, (_, n) => createBuilding(services, { name: `Depot ${n + 1}` })),
  );
  const buildings = [of.site, ...others].map(({ id }) => id);
  manager = await createPerson(services, { role: 'manager', buildings });
});
beforeEach(() => {
  taps = 0;
});

async function tap(target: Locator): Promise<void> {
  taps += 1;
  await target.tap();
}
/** The first page of a person who has worked at a building before, on another page. */
async function firstPage(person: TestPerson): Promise<Page> {
  const page = await setting.open(person, `/building-issues?building=${of.site.id}`, PHONE);
  await page.getByRole('button', { name: `Building: ${of.site.name}` }).waitFor();
  await page.goto('/dashboard');
  return page;
}
const card = (page: Page) => page.getByRole('main').getByRole('link', { name: /^Document Management/ });

test('a file is uploaded', async () => {
  const page = await firstPage(of.admin);
  await tap(card(page));
  await tap(page.getByRole('link', { name: 'Upload', exact: true }));
  const choosing = page.waitForEvent('filechooser');
  await tap(page.getByRole('button', { name: uploadMessages.chooseFiles }));
  // The choice of the file itself is one more tap.
  taps += 1;
  const file = { name: 'Certificate.txt', mimeType: 'text/plain', buffer: Buffer.from('Passed') };
  await (await choosing).setFiles(file);
  await page.getByText(uploadMessages.uploaded(1)).waitFor();
  expect(taps).toBeLessThanOrEqual(MOST);
});

test('a certificate is found', async () => {
  const context = await contextOf(setting.server, await signInAs(setting.server, of.admin));
  // Two files, because a second tap at once on the same spot would not count.
  for (const fileName of ['Alarm test.pdf', 'Annual service.pdf']) {
    await storeFile(context, { buildingId: of.site.id, place: of.fire, fileName });
  }
  const page = await firstPage(manager);
  await tap(card(page));
  await tap(page.getByRole('link', { name: of.fireName }));
  await tap(page.getByRole('link', { name: 'Annual service.pdf' }));
  await page.getByRole('dialog', { name: 'Annual service.pdf' }).waitFor();
  expect(taps).toBeLessThanOrEqual(MOST);
});

test('an issue is reported, besides its title', async () => {
  const page = await firstPage(manager);
  await tap(page.getByRole('button', { name: 'Report Issue' }));
  const dialog = page.getByRole('dialog', { name: 'Report Building Issue' });
  await tap(dialog.getByRole('button', { name: of.site.name, exact: true }));
  await dialog.getByLabel('Title').fill('Lift 2 stuck');
  await tap(dialog.getByRole('button', { name: /^(Report|Create) Issue$/ }));
  await dialog.waitFor({ state: 'detached' });
  expect(taps).toBeLessThanOrEqual(MOST);
});
