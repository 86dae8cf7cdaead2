import type { Page } from 'playwright-core';

/** Suppresses the leave events, as a browser does when the element under the pointer has just been replaced. */
export async function withoutPointerLeave(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const type of ['pointerout', 'pointerleave', 'mouseout', 'mouseleave']) {
      window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
    }
  });
}
