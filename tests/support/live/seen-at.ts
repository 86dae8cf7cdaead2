import type { Page } from 'playwright-core';

/**
 * Watches a page for an element, and records by the page's own clock when it first appeared or disappeared. Polling from
 * outside would add its own delay.
 * @returns a function that waits for the change, and returns its time in milliseconds since a given moment (Unix ms)
 */
export async function watchFor(
  page: Page,
  selector: string,
  what: 'comes' | 'goes' = 'comes',
): Promise<(since: number) => Promise<number>> {
  const watching = await page.evaluateHandle(
    ([wanted, isToCome]) => {
      const seen = new Promise<number>((resolve) => {
        new MutationObserver((_, observer) => {
          if ((document.querySelector(wanted) !== null) !== isToCome) return;
          observer.disconnect();
          resolve(performance.timeOrigin + performance.now());
        }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
        // A change that makes the observer look at the elements that exist already.
        document.body.toggleAttribute('data-watched');
      });
      // In an object, because a promise returned directly would be awaited.
      return { seen };
    },
    [selector, what === 'comes'] as const,
  );
  return async (since) => (await watching.evaluate(({ seen }) => seen)) - since;
}
