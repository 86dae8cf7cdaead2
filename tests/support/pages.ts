import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { signInAs } from './factories.ts';
import type { TestServer } from './server.ts';

/** A page in a browser window of its own, signed in as this person, or as nobody. */
export async function openAs(
  browser: Browser,
  server: TestServer,
  person: { id: string; role: string | null } | null,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    // What it answers by itself, a test's own routes would never see.
    serviceWorkers: 'block',
    ...options,
  });
  // A bound for what never comes; it costs nothing while everything does.
  context.setDefaultTimeout(30_000);
  if (person !== null) {
    const [name = '', value = ''] = (await signInAs(server, person)).split('=', 2);
    await context.addCookies([{ name, value, url: server.url }]);
  }
  return context.newPage();
}
