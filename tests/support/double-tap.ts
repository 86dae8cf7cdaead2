import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';

/** Between the two taps of a slip of the thumb, in ms: a bounce, a double tap, and one in a glove. */
export const DOUBLE_TAP_MS = [120, 250, 400] as const;

/** To where no bar at the edges of the screen lies over it. */
export async function toTheMiddle(control: Locator): Promise<void> {
  await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

/** Two real touches at the same spot of the screen, which is where the control was before the first of them. */
export async function doubleTap(page: Page, on: Locator, betweenMs: number): Promise<void> {
  await toTheMiddle(on);
  const box = await on.boundingBox();
  if (box === null) throw new Error('nothing to tap on');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  // Stays attached: a session that is detached takes the page's offline state away with it.
  const session = await page.context().newCDPSession(page);
  // The interval is the input itself: a page that is slow to answer the first tap does not make it longer.
  const first = touch(session, at);
  await pause(betweenMs);
  await Promise.all([first, touch(session, at)]);
}

async function touch(session: CDPSession, at: { x: number; y: number }): Promise<void> {
  await Promise.all([
    session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] }),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
}
