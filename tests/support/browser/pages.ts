import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { signInAs } from '../rows/factories.ts';
import type { TestServer } from '../server/server.ts';

/** A window with touch. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const SMALL_PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

type PersonWithRole = { id: string; role: string | null };

/**
 * Creates a new session of this person, and gives its cookie to a window.
 * @param options.url the address under which the window reaches the server, if not the server's own
 * @param options.lasting whether the cookie outlives the browser, as a cookie set by the server does
 */
export async function enterAs(
  context: BrowserContext,
  server: Pick<TestServer, 'services' | 'url'>,
  person: PersonWithRole,
  { url = server.url, lasting = false }: { url?: string; lasting?: boolean } = {},
): Promise<void> {
  const [name = '', value = ''] = (await signInAs(server, person)).split('=', 2);
  const expires = lasting ? Date.now() / 1000 + 86_400 : -1;
  await context.addCookies([{ name, value, url, expires }]);
}

/**
 * Opens a page in its own browser window, signed in as this person, or without a session for null. The page's clock
 * equals the server's, as a device's clock should; a test can still set it with `page.clock`.
 */
export async function openAs(
  browser: Browser,
  server: TestServer,
  person: PersonWithRole | null,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    // Requests answered by a service worker would bypass the routes of a test.
    serviceWorkers: 'block',
    ...options,
  });
  // A limit that only failing tests reach.
  context.setDefaultTimeout(30_000);
  if (server.clockOffsetMs !== 0) await context.addInitScript(moveClock, server.clockOffsetMs);
  if (person !== null) await enterAs(context, server, person);
  return context.newPage();
}

/** Init script of a page: moves its clock. Timers, `performance` and the times of events are not changed. */
export function moveClock(byMs: number): void {
  const Own = Date;
  const machine = Own.now.bind(Own);
  const now = () => machine() + byMs;
  // Assigned, so that a test can replace it again; a proxy and not a class, so that dates from storage are instances, too.
  Own.now = now;
  globalThis.Date = new Proxy(Own, {
    apply: () => new Own(now()).toString(),
    construct: (target, given, asked): Date =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
  });
}
