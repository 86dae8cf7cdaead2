import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Document } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { launchBrowser } from '#tests/support/browser/browser.ts';
import { startTrap, type Trap } from '#tests/support/browser/trap.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { type HostileFile, hostileFiles, hostilePage } from '#tests/support/hostile/hostile-files.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { chooseFiles, openZone, uploaded } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';

// One person uploads files that would run or mislead, and another opens, previews and saves each of them.

const setting = setUpWebSetting();
let of: DocumentsSite;
let trap: Trap;
let corpus: HostileFile[];
let documents: Document[];
/** Forbidden actions of the windows. */
const misdeeds: string[] = [];

beforeAll(async () => {
  trap = await startTrap();
  of = await createDocumentsSite(setting);
  corpus = hostileFiles(trap.url);
  const page = await setting.open(of.admin, of.managing(of.fire));
  watch(page.context());
  await live(page);
  await openZone(page);
  await chooseFiles(page, ...corpus);
  await uploaded(page, corpus.length);
  documents = await of.stored();
});
afterAll(() => trap.close());

/** Records dialogs, and requests to any other origin. */
function watch(context: BrowserContext): void {
  const own = new URL(setting.server.url).origin;
  context.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOfBrowser = ['blob:', 'data:', 'chrome-extension:'].includes(protocol);
    if (!isOfBrowser && origin !== own) misdeeds.push(request.url());
  });
}

/** Returns the requests to the trap so far. Its own request is the last, so all earlier ones are recorded. */
async function trapped(): Promise<string[]> {
  await fetch(`${trap.url}/own`);
  return trap.hits.splice(0).filter((path) => path !== '/own');
}

test('the trap notes what such a page does where it is let', async () => {
  // A page that shows dialogs while it navigates can prevent its window from closing, so it has a browser of its own.
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const dialogs: string[] = [];
  tab.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    // The page may have navigated away by then.
    dialog.dismiss().catch(() => undefined);
  });
  tab.setContent(hostilePage(trap.url)).catch(() => undefined);
  await expect.poll(() => trap.hits.length).toBeGreaterThan(0);
  await expect.poll(() => dialogs.length).toBeGreaterThan(0);
  expect(await trapped()).not.toEqual([]);
  // Its late requests must not count for a later test.
  await browser.close();
  await trapped();
});

test('all of them are stored, under names that lead nowhere and look as they are', () => {
  expect(documents).toHaveLength(corpus.length);
  for (const { fileName } of documents) {
    expect(fileName).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(fileName.length).toBeLessThanOrEqual(255);
  }
});

test('previewed, none of them runs, and nothing is loaded from elsewhere', async () => {
  const page = await setting.open(of.viewer, of.reading(of.fire, '&view=list'));
  watch(page.context());
  for (const document of documents) {
    const { shown } = hostileFileOf(document);
    await page.getByRole('link', { name: document.fileName, exact: true }).click();
    const preview = page.getByRole('dialog');
    await shownAs(preview, shown).waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
  }
  expect(misdeeds).toEqual([]);
  expect(await trapped()).toEqual([]);
});

test('opened in a tab of their own, none of them runs or loads anything', async () => {
  const page = await setting.open(of.viewer, of.reading(of.fire));
  watch(page.context());
  const cookie = await signInAs(setting.server, of.viewer);
  const client = createTestClient(setting.server.url, cookie);
  for (const { id, fileType } of documents) {
    const { url } = await client.documents.link.query({ id, as: 'preview' });
    const answer = await fetch(new URL(url, setting.server.url), { headers: { cookie } });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('set-cookie')).toBeNull();
    if (/html|svg|xml|javascript/.test(fileType ?? '')) {
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
    }
    await openInTab(page, url);
  }
  expect(misdeeds).toEqual([]);
  expect(await trapped()).toEqual([]);
});

test('saved, each has its own bytes under a name without a path', async () => {
  const page = await setting.open(of.viewer, of.reading(of.fire, '&view=list'));
  watch(page.context());
  for (const document of documents) {
    await page.getByRole('button', { name: `Actions for ${document.fileName}`, exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download', exact: true }).click(),
    ]);
    const name = download.suggestedFilename();
    expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}]|^\.\./u);
    expect(readFileSync(await download.path()).equals(hostileFileOf(document).buffer)).toBe(true);
  }
  expect(misdeeds).toEqual([]);
  expect(await trapped()).toEqual([]);
});

function hostileFileOf({ fileSize, fileName }: Document): HostileFile {
  // The server cleans names, so some are recognised by their end.
  const found =
    corpus.find(({ name }) => name === fileName) ??
    corpus.find(
      ({ name, buffer }) => buffer.byteLength === fileSize && name.slice(-8) === fileName.slice(-8),
    );
  if (found === undefined) throw new Error(`no file of the corpus became ${fileName}`);
  return found;
}

function shownAs(preview: ReturnType<Page['getByRole']>, shown: HostileFile['shown']) {
  switch (shown) {
    case 'text':
      return preview.locator('pre').first();
    case 'image':
      return preview.getByText(documentMessages.imageFailed).or(preview.locator('img:not(.invisible)'));
    case 'pdf':
      // A frame if the browser has a viewer, otherwise our own viewer; or the message, because these PDFs are damaged.
      return preview
        .locator('iframe, [role="document"] canvas')
        .first()
        .or(preview.getByText(documentMessages.pdfFailed));
    case 'other':
      return preview.getByText(documentMessages.previewUnavailable);
  }
}

/** Opens an address in a tab as a link with `target="_blank"` does; a file that is not a page is downloaded instead. */
async function openInTab(page: Page, url: string): Promise<void> {
  const tab = await page.context().newPage();
  watch(tab.context());
  const ended = Promise.race([tab.waitForEvent('download'), tab.waitForEvent('load')]);
  await tab.goto(url).catch(() => undefined);
  await ended;
  // Scripts and requests of a page have begun by its load event; one turn of the event loop later they are recorded.
  if (!tab.url().startsWith('about:')) await tab.evaluate(() => undefined).catch(() => undefined);
  await tab.close();
}
