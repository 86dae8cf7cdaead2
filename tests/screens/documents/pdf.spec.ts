import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { pdfOf } from '#server/sample-data/sample-pdf.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { item, upload } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';
import {
  blankPdf,
  jbig2Scan,
  jpeg2000Scan,
  pdfWithCharacterMap,
  pdfWithPassword,
  pdfWithTick,
  textWithDamagedPicture,
} from '#tests/support/uploads/pdfs.ts';

// PDFs in browsers without a viewer of their own, as on phones.

const PDFJS = /^\/assets\/pdfjs-/;

const setting = setUpWebSetting();
let of: DocumentsSite;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
});

/** Uploads a PDF and opens its preview. @param before runs on the page first */
async function show(buffer: Buffer, before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await of.manage();
  await before?.(page);
  await upload(page, { name: 'Scan.pdf', mimeType: 'application/pdf', buffer });
  await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false }));
  await item(page, 'Scan.pdf').getByRole('link').click();
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog');
const canvas = (page: Page) => dialog(page).locator('canvas');

/** The part of the first page that is not white. */
const inked = (page: Page): Promise<number> =>
  canvas(page)
    .first()
    .evaluate((element: HTMLCanvasElement) => {
      const { width, height } = element;
      if (width * height === 0) return 0;
      const { data } = element.getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 250) count += 1;
      return count / (width * height);
    });

/** Presses Download beside a sentence. */
async function downloadsBeside(page: Page, sentence: string): Promise<void> {
  const beside = dialog(page).getByRole('status').filter({ hasText: sentence });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    beside.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Scan.pdf');
}

function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (PDFJS.test(pathname)) asked.push(pathname.replace(/^.*?pdfjs-[^/]*\//, ''));
  });
  return asked;
}

describe('a scan is shown', () => {
  test('in JPEG 2000, by compiled code that the page itself may not run', async () => {
    let asked: string[] = [];
    const page = await show(jpeg2000Scan(), async (opened) => {
      asked = requestsOf(opened);
    });
    await expect.poll(() => inked(page)).toBeGreaterThan(0.05);
    // Requested by the upload, which makes a picture of the first page, and by the preview.
    const decoders = asked.filter((path) => path.startsWith('wasm/'));
    expect([...new Set(decoders)]).toEqual(['wasm/openjpeg.wasm']);
    // The bytes are an empty module.
    const refused = page.evaluate(() => WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)));
    await expect(refused).rejects.toThrow(/Content Security Policy|unsafe-eval/);
  });

  test('in JPEG 2000 where compiled code does not come', async () => {
    const page = await show(jpeg2000Scan(), (opened) =>
      opened.route(/openjpeg\.wasm$/, (route) => route.abort()),
    );
    await expect.poll(() => inked(page)).toBeGreaterThan(0.05);
  });

  test('in JBIG2', async () => {
    const page = await show(jbig2Scan());
    await expect.poll(() => inked(page)).toBeGreaterThan(0.05);
  });
});

test.each([
  ['a font', 'standard_fonts/FoxitDingbats.pfb', pdfWithTick()],
  ['a character map', 'cmaps/UniGB-UCS2-H.bcmap', pdfWithCharacterMap()],
])('text is shown that needs %s of the viewer', async (_what, part, pdf) => {
  let asked: string[] = [];
  const page = await show(pdf, async (opened) => {
    asked = requestsOf(opened);
  });
  await expect.poll(() => inked(page)).toBeGreaterThan(0);
  expect(asked).toContain(part);
});

describe('a page says that it is not shown, and offers the file', () => {
  test('where its scan is damaged', async () => {
    const page = await show(jpeg2000Scan({ damaged: true }));
    await downloadsBeside(page, previewMessages.pageFailed(1));
  });

  test('where a picture beside a text is damaged, with the text', async () => {
    const page = await show(textWithDamagedPicture('Alarm service'));
    await downloadsBeside(page, previewMessages.pageIncomplete(1));
    expect(await inked(page)).toBeGreaterThan(0);
  });

  test('where every page has the same damaged picture', async () => {
    const page = await show(textWithDamagedPicture('Alarm service', 3));
    for (const number of [1, 2, 3]) {
      // A page is drawn only when it is scrolled near.
      await dialog(page).getByLabel(previewMessages.page(number, 3)).scrollIntoViewIfNeeded();
      await dialog(page).getByText(previewMessages.pageIncomplete(number)).waitFor();
    }
  });

  test('where the decoder does not come', async () => {
    const page = await show(jpeg2000Scan(), (opened) => opened.route(/openjpeg/, (route) => route.abort()));
    await downloadsBeside(page, previewMessages.pageFailed(1));
  });

  test('where nothing is seen on it', async () => {
    const page = await show(blankPdf());
    await downloadsBeside(page, previewMessages.pageBlank(1));
  });

  test('and never where it is shown', async () => {
    const page = await show(pdfOf([{ heading: 'Alarm service', lines: ['Tested'] }], 'Harbour House'));
    await expect.poll(() => inked(page)).toBeGreaterThan(0);
    expect(await dialog(page).getByRole('status').count()).toBe(0);
  });
});

test('a PDF with a password says so, offers the file, and opens with the right one', async () => {
  const page = await show(pdfWithPassword('Alarm service', 'harbour'));
  await dialog(page).getByText(previewMessages.passwordNeeded).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page)
      .getByRole('form', { name: previewMessages.passwordNeeded })
      .getByRole('button', { name: 'Download' })
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe('Scan.pdf');
  const field = dialog(page).getByLabel(previewMessages.password);
  await field.fill('wharf');
  await field.press('Enter');
  await dialog(page).getByText(previewMessages.passwordWrong).waitFor();
  await field.fill('harbour');
  await field.press('Enter');
  await expect.poll(() => inked(page)).toBeGreaterThan(0);
  expect(await field.count()).toBe(0);
});

test('the parts of the viewer are kept once they are used, and not before', async () => {
  const worker = await (await fetch(`${setting.server.url}/sw.js`)).text();
  const { assets, rarely } = JSON.parse(/^const BUILD = (.*);$/m.exec(worker)?.[1] ?? '');
  const ofViewer = (paths: string[]) => paths.filter((path) => PDFJS.test(path));
  expect(ofViewer(assets)).toEqual([]);
  const decoder = ofViewer(rarely).find((path) => path.endsWith('/openjpeg.wasm'));
  const { headers } = await fetch(`${setting.server.url}${decoder}`);
  expect(headers.get('content-type')).toBe('application/wasm');
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  // Character maps and fonts for text that brings none, and the licences of all of it.
  for (const name of ['cmaps/UniGB-UCS2-H.bcmap', 'standard_fonts/FoxitSerif.pfb', 'wasm/LICENSE_OPENJPEG']) {
    expect(ofViewer(rarely).filter((path) => path.endsWith(name))).toHaveLength(1);
  }
});
