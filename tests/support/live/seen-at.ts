import type { Page } from 'playwright-core';

/**
 * Watches a page for an element, and notes by the page's own clock when it first appeared, because polling from outside
 * would add its own delay.
 * @returns a function that waits for it and returns the milliseconds since a moment (Unix ms)
 */
export async function watchFor(page: Page, selector: string): Promise<(since: number) => Promise<number>> {
  const watching = await page.evaluateHandle((wanted) => {
    const seen = new Promise<number>((resolve) => {
      const observer = new MutationObserver(look);
      function look() {
        if (document.querySelector(wanted) === null) return;
        observer.disconnect();
        resolve(performance.timeOrigin + performance.now());
      }
      observer.observe(document.body, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
      });
      look();
    });
    // In an object, because a promise returned directly would be awaited.
    return { seen };
  }, selector);
  return async (since) => (await watching.evaluate(({ seen }) => seen)) - since;
}
