import type { Page } from 'playwright-core';

/** Makes the browser as it is when what lay under the pointer was just replaced: it tells of no leave. */
export async function withoutPointerLeave(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const type of ['pointerout', 'pointerleave', 'mouseout', 'mouseleave']) {
      window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
    }
  });
}
