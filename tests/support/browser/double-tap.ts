import type { CDPSession, Locator, Page } from 'playwright-core';
import { SECOND_TAP_MS } from '#web/ui/buttons/second-tap.ts';

/** Interval of a double tap. `tests/unit/app/second-tap.test.ts` decides which intervals count as one. */
const DOUBLE_TAP_MS = 250;

/** Scrolls to where no bar at the edges of the screen covers the control. */
export async function toTheMiddle(control: Locator): Promise<void> {
  await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

/**
 * Touches the screen twice at the place where the control was before the first touch. The page has the interval to react
 * to the first one; on a busy machine it has longer, but the input states the interval itself.
 */
export async function doubleTap(page: Page, on: Locator): Promise<void> {
  await toTheMiddle(on);
  const box = await on.boundingBox();
  if (box === null) throw new Error('nothing to tap on');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  // Stays attached, because detaching the session would reset the page's offline state.
  const session = await page.context().newCDPSession(page);
  const firstAt = Date.now();
  await touch(session, at, firstAt);
  await untilPageHas(page, DOUBLE_TAP_MS);
  await touch(session, at, firstAt + DOUBLE_TAP_MS);
}

/** @param atMs the Unix time that the page sees as the `timeStamp` of the events */
async function touch(session: CDPSession, at: { x: number; y: number }, atMs: number): Promise<void> {
  const timestamp = atMs / 1_000;
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at], timestamp });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
}

/**
 * Waits until a tap at the place of the last one no longer counts as the second half of a double tap: a person who has
 * read what appeared there takes longer.
 */
export async function untilNextTapCounts(page: Page): Promise<void> {
  await untilPageHas(page, SECOND_TAP_MS);
}

/** Waits until this time has passed by the page's clock, which measures taps. */
async function untilPageHas(page: Page, ms: number): Promise<void> {
  const since = await page.evaluate(() => performance.timeOrigin + performance.now());
  await page.waitForFunction((at) => performance.timeOrigin + performance.now() >= at, since + ms);
}
