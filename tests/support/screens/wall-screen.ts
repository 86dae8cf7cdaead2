import type { Browser, Page } from 'playwright-core';
import { PATIENCE } from '../patience.ts';
import type { TestDisplay } from '../rows/displays.ts';

/** The size of most panels. */
export const PANEL = { viewport: { width: 1920, height: 1080 } };

export type WallOptions = {
  /** The page of the rotation. */
  hash?: string;
  viewport?: { width: number; height: number };
  prepare?: (page: Page) => Promise<void>;
};

/** Opens the page of a display in a new window, because its clock and sockets cannot be reset for the next test. */
export async function openWall(
  browser: Browser,
  baseURL: string,
  display: TestDisplay,
  { hash = '', viewport = PANEL.viewport, prepare }: WallOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport, baseURL, serviceWorkers: 'block' });
  context.setDefaultTimeout(PATIENCE.timeout);
  const [name = '', value = ''] = display.cookie.split('=', 2);
  await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/trpc' }]);
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(`/wall${hash}`);
  return page;
}

/** Resolves once the display is live. */
export const isLive = (page: Page): Promise<void> => page.locator('.top.is-live').waitFor();
