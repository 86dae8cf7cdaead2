import type { Browser, Page } from 'playwright-core';
import { TestRunner } from 'vitest';

const TEXT_MAX = 600;
/** A window that does not answer must not hold up the others. */
const WITHIN_MS = 2_000;

/** Tells what each window shows, if the present test has failed: a time-out alone does not say why. */
export async function describeWindowsOfFailure(browser: Browser): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.state !== 'fail') return;
  const pages = browser.contexts().flatMap((context) => context.pages());
  const shown = await Promise.all(pages.map(describe));
  console.log(`The windows of “${test.name}” when it failed:\n${shown.join('\n')}`);
}

async function describe(page: Page): Promise<string> {
  const body = page.locator('body');
  const [live, text] = await Promise.all([
    page.locator('[data-live]').first().getAttribute('data-live', { timeout: WITHIN_MS }).catch(nothing),
    body.textContent({ timeout: WITHIN_MS }).catch(nothing),
  ]);
  return `  ${page.url()} (live: ${live})\n    ${(text ?? '').replace(/\s+/g, ' ').slice(0, TEXT_MAX)}`;
}

const nothing = () => '–';
