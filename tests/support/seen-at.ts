import type { Page } from 'playwright-core';

/**
 * Watches a page for something that is to appear, and notes by the page's own clock when it was there first: asking
 * from outside would add the time that asking takes.
 * @returns how long it took from a moment (Unix ms) on; waits until it is there
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
    // In an object, because what is handed out by itself is waited for.
    return { seen };
  }, selector);
  return async (since) => (await watching.evaluate(({ seen }) => seen)) - since;
}
