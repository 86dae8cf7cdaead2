import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';

// Parts of the documents' screens by their text, as a person would find them.

/** The row or card with a name. */
export const item = (page: Page, name: string): Locator =>
  page.locator('[data-item]').filter({ has: page.getByRole('link', { name, exact: true }) });

/** The names that are shown, in order. */
export const names = (page: Page) => page.locator('[data-item-name]').allTextContents();

/** The names in the path to the opened place. */
export const trail = (page: Page) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link').allTextContents();

/** The name of the row that has the focus; null if none has. */
export const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('[data-item]')?.querySelector('a')?.textContent ?? null,
  );

/** Chooses an item of a document's menu. */
export async function menu(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** A file in the form in which Playwright gives it to a browser. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

export const textFile = (name: string, body: string): ChosenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(body),
});

/** Shows the upload zone of Document Management. */
export async function openZone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: uploadMessages.chooseFiles }).waitFor();
}

const input = (page: Page): Locator =>
  page.getByLabel(uploadMessages.chooseFiles, { exact: true }).and(page.locator('input'));

/** Chooses files in the zone. */
export const chooseFiles = (page: Page, ...files: ChosenFile[]): Promise<void> =>
  input(page).setInputFiles(files);

/**
 * Chooses a large file (megabytes) from the disk. Given as bytes, it would pass through the page's network, where a
 * connection that a test makes slow would delay it before the upload begins.
 */
export async function chooseLargeFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-chosen-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), bytes);
  await input(page).setInputFiles(join(folder, name));
}

/** Waits until this number of documents of a batch is uploaded. */
export const uploaded = (page: Page, count: number): Promise<void> =>
  page.getByText(uploadMessages.uploaded(count)).waitFor();

/** Uploads files with the zone of Document Management. */
export async function upload(page: Page, ...files: ChosenFile[]): Promise<void> {
  await openZone(page);
  await chooseFiles(page, ...files);
  await uploaded(page, files.length);
}
