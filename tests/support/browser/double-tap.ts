import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { SECOND_TAP_MS } from '#web/ui/second-tap.ts';

/** Milliseconds between the taps of an accidental double tap: a bounce, a double tap, and one in a glove. */
export const DOUBLE_TAP_MS = [120, 250, 400] as const;

/** Scrolls to where no bar at the edges of the screen covers the control. */
export async function toTheMiddle(control: Locator): Promise<void> {
  await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

/** Touches the screen twice at the place where the control was before the first touch. */
export async function doubleTap(page: Page, on: Locator, betweenMs: number): Promise<void> {
  await toTheMiddle(on);
  const box = await on.boundingBox();
  if (box === null) throw new Error('nothing to tap on');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  // Stays attached, because detaching the session would reset the page's offline state.
  const session = await page.context().newCDPSession(page);
  // The interval is part of the input: a page that is slow to handle the first tap does not lengthen it.
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

/**
 * Waits until a tap at the spot of the last one is no longer held back as its second: a person who has read what appeared
 * there takes longer.
 */
export async function untilNextTapCounts(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((at) => performance.now() >= at, since + SECOND_TAP_MS);
}
