import type { Page } from 'playwright-core';

/** Counts the touches on the pages that this window opens from now on. */
export async function countTaps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        const before = Number(sessionStorage.getItem('test.taps') ?? 0);
        if (isTrusted) sessionStorage.setItem('test.taps', String(before + 1));
      },
      true,
    );
  });
}

/** The touches counted since `countTaps`. */
export const tapsOf = (page: Page): Promise<number> =>
  page.evaluate(() => Number(sessionStorage.getItem('test.taps') ?? 0));
