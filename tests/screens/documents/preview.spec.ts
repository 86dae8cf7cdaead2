import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { pdfOf } from '#server/sample-data/sample-pdf.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { picture } from '#tests/support/rows/photos.ts';
import { type ChosenFile, item, textFile, upload } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';

// Previews of each kind, and the messages when a preview cannot be shown (specification, section 8).

const PAGES = [{ heading: 'Alarm service', lines: ['All zones tested'] }];
const FILES = {
  picture: { name: 'Lobby.png', mimeType: 'image/png', buffer: picture() },
  pdf: {
    name: 'Service.pdf',
    mimeType: 'application/pdf',
    buffer: pdfOf([...PAGES, ...PAGES], 'Harbour House'),
  },
  text: textFile('Keys.txt', 'With the guard'),
  other: { name: 'Model.rvt', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3]) },
} satisfies Record<string, ChosenFile>;

const setting = setUpWebSetting();
let of: DocumentsSite;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
});

/** Uploads files. @returns the page, with their rows */
async function withFile(...files: ChosenFile[]): Promise<Page> {
  const page = await of.manage();
  await upload(page, ...files);
  return page;
}
const open = (page: Page, { name }: ChosenFile) => item(page, name).getByRole('link').click();
const isLink = (url: URL) => /^\/files\/[0-9a-f-]{36}$/.test(url.pathname);
const button = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });
const link = (page: Page, name: string) => page.getByRole('dialog').getByRole('link', { name });

test('a picture is shown at 100 %, and zooms in and out as far as it goes (case 2)', async () => {
  const page = await withFile(FILES.picture);
  await open(page, FILES.picture);
  const zoom = page.getByRole('dialog').locator('output');
  const [larger, smaller] = [button(page, 'Zoom in'), button(page, 'Zoom out')];
  await zoom.waitFor();
  expect(await zoom.textContent()).toBe('100%');
  while (!(await larger.isDisabled())) await larger.click();
  expect(await zoom.textContent()).toBe('200%');
  while (!(await smaller.isDisabled())) await smaller.click();
  expect(await zoom.textContent()).toBe('25%');
});

test('a PDF is drawn page by page where the browser has no viewer', async () => {
  const page = await withFile(FILES.pdf);
  await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false }));
  await open(page, FILES.pdf);
  await page.getByRole('dialog').getByLabel(previewMessages.page(2, 2)).waitFor();
  const tab = link(page, documentMessages.openInNewTab);
  expect(await tab.getAttribute('href')).toMatch(/^\/files\/.*d=i/);
  expect(await tab.getAttribute('target')).toBe('_blank');
});

test('of a long text in an old encoding the first megabyte is shown, and that it is no more', async () => {
  const buffer = Buffer.from(`Pr\u00fcfung\n${'line\n'.repeat(300_000)}`, 'latin1');
  const file = { name: 'Log.txt', mimeType: 'text/plain', buffer };
  const page = await withFile(file);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(isLink, async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  await open(page, file);
  await page.getByText(documentMessages.loadingContent).waitFor();
  goOn();
  await page.getByRole('dialog').getByText('Pr\u00fcfung').first().waitFor();
  await page.getByText(previewMessages.firstMegabyte).waitFor();
});

test('another type offers its download, and to open it', async () => {
  const page = await withFile(FILES.other);
  await open(page, FILES.other);
  await page.getByRole('dialog').getByText(documentMessages.previewUnavailable).waitFor();
  expect(await link(page, documentMessages.openInBrowser).getAttribute('href')).toMatch(/^\/files\//);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, documentMessages.downloadFile).click(),
  ]);
  expect(download.suggestedFilename()).toBe(FILES.other.name);
});

describe('a preview that fails says so', () => {
  const failed = (page: Page, sentence: string | RegExp) => page.getByRole('dialog').getByText(sentence);

  test('where the file is not accessible, and offers two other ways', async () => {
    const page = await withFile(FILES.text);
    await page.route(isLink, (route) => route.fulfill({ status: 403 }));
    await open(page, FILES.text);
    await page.getByText(documentMessages.notAccessible).waitFor();
    await failed(page, documentMessages.inaccessible).waitFor();
    await link(page, documentMessages.openInNewTab).waitFor();
    await page.unroute(isLink);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, documentMessages.tryDownload).click(),
    ]);
    expect(download.suggestedFilename()).toBe(FILES.text.name);
  });

  test('where the server has lost the file, and its row says so until the file is found', async () => {
    const page = await withFile(FILES.text);
    const mark = item(page, FILES.text.name).getByText(browserMessages.lost);
    await page.route(isLink, (route) => route.fulfill({ status: 404 }));
    await open(page, FILES.text);
    await failed(page, documentMessages.inaccessible).waitFor();
    await page.keyboard.press('Escape');
    await mark.waitFor();
    await page.reload();
    await mark.waitFor();
    await page.unroute(isLink);
    await open(page, FILES.text);
    await failed(page, 'With the guard').waitFor();
    await page.keyboard.press('Escape');
    await mark.waitFor({ state: 'detached' });
  });

  test('where the network fails, and shows it at the next try', async () => {
    const page = await withFile(FILES.text);
    await page.route(isLink, (route) => route.abort());
    await open(page, FILES.text);
    await page.getByText(documentMessages.previewFailed).waitFor();
    await failed(page, /^This file is not kept on this/).waitFor();
    await page.unroute(isLink);
    await button(page, 'Try again').click();
    await failed(page, 'With the guard').waitFor();
  });

  test('where a picture, a text or a PDF cannot be read, each with its sentence', async () => {
    const kinds = [
      ['picture', documentMessages.imageFailed],
      ['text', documentMessages.previewFailed],
      ['pdf', documentMessages.pdfFailed],
    ] as const;
    const page = await withFile(...kinds.map(([kind]) => FILES[kind]));
    await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false }));
    await page.route(isLink, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500 }) : route.continue(),
    );
    for (const [kind, sentence] of kinds) {
      // By keyboard, because the tray of the uploads covers some of the rows.
      await item(page, FILES[kind].name).getByRole('link').press('Enter');
      await failed(page, sentence).waitFor();
      // Once in the dialog, and once in a toast.
      await expect.poll(() => page.getByText(sentence).count()).toBe(2);
      await button(page, documentMessages.tryDownload).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});
