import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';

/** Selectors of the parts of a window whose texts are printed, including what may cover the page, such as a dialog. */
const SHOWN = 'header, main, [role=dialog], [role=status], [role=alert]';
/** Limit for the text of each part. */
const TEXT_MAX = 600;
/** Limit for each window, so that one without an answer does not hold up the others. */
const WITHIN_MS = 2_000;

/** Prints what each window of the shared browser shows when a test fails: a timeout alone does not say why. */
export async function describeWindows(testName: string): Promise<void> {
  const browser = await openBrowser();
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  if (pages.length === 0) return;
  const shown = await Promise.all(pages.map(describe));
  console.log(`The windows of “${testName}” when it failed:\n${shown.join('\n')}`);
}

async function describe(page: Page): Promise<string> {
  const [live, texts] = await Promise.all([
    page.locator('[data-live]').first().getAttribute('data-live', { timeout: WITHIN_MS }).catch(nothing),
    Promise.race([page.locator(SHOWN).allInnerTexts(), setTimeout(WITHIN_MS, [])]).catch(() => []),
  ]);
  const parts = texts
    .map((text) => text.replace(/\s+/g, ' ').slice(0, TEXT_MAX))
    .filter((text) => text !== '');
  return [`  ${page.url()} (live: ${live})`, ...parts.map((text) => `    ${text}`)].join('\n');
}

const nothing = () => '–';
