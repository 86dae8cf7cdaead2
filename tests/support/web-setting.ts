import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import type { TestPerson } from './factories.ts';
import { openAs } from './pages.ts';
import { startTestServer, type TestServer } from './server.ts';

/** A database, a server on it, and the browser that test files share. */
export type WebSetting = {
  database: TestDatabase;
  server: TestServer;
  browser: Browser;
  /**
   * Opens a window signed in as this person, or without a session for null; `at` is an address other than the server's
   * own.
   */
  open(
    person: TestPerson | null,
    path: string,
    options?: BrowserContextOptions & { at?: string },
  ): Promise<Page>;
  /** Closes all windows. */
  closeWindows(): Promise<void>;
  end(): Promise<void>;
};

export async function createWebSetting(
  overrides: Parameters<typeof startTestServer>[1] = {},
): Promise<WebSetting> {
  const database = await createTestDatabase();
  const server = await startTestServer(database, overrides);
  const browser = await sharedBrowser();

  async function closeWindows(): Promise<void> {
    await Promise.all(browser.contexts().map((context) => context.close()));
  }

  return {
    database,
    server,
    browser,
    async open(person, path, { at = server.url, ...options } = {}) {
      const page = await openAs(browser, { ...server, url: at }, person, options);
      await page.goto(path);
      return page;
    },
    closeWindows,
    async end() {
      await closeWindows();
      await server.stop();
      await database.drop();
    },
  };
}
