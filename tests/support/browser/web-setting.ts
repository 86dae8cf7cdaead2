import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts';
import type { TestPerson } from '../rows/factories.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { sharedBrowser } from './browser.ts';
import { openAs } from './pages.ts';
import { windowsOf } from './windows.ts';

/** A database, a server on it, and the browser that test files share. */
export type WebSetting = {
  database: TestDatabase;
  server: TestServer;
  browser: Browser;
  /** Returns an empty window signed in as this person, or without a session for null. */
  window(person: TestPerson | null, options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page in a window as from `window`; `at` is an address other than the server's own. */
  open(
    person: TestPerson | null,
    path: string,
    options?: BrowserContextOptions & { at?: string },
  ): Promise<Page>;
  /** Closes all windows, or empties them for the next test. */
  closeWindows(): Promise<void>;
  end(): Promise<void>;
};

/**
 * Creates a setting for all tests of the file, closes its windows after each test, and ends it after the last one. The
 * file's own `afterAll` hooks run before the setting ends.
 * @param overrides as for `createWebSetting`
 * @returns the setting, which can be used in tests and hooks only
 */
export function setUpWebSetting(overrides?: Parameters<typeof createWebSetting>[0]): WebSetting {
  let setting: WebSetting | undefined;
  beforeAll(async () => {
    setting = await createWebSetting(overrides);
  });
  afterEach(() => setting?.closeWindows());
  afterAll(() => setting?.end());
  return new Proxy({} as WebSetting, {
    get(_, name) {
      if (setting === undefined) throw new Error('the setting is there from beforeAll on');
      return Reflect.get(setting, name);
    },
  });
}

/**
 * Returns the database of an external installation, such as a container, that is tested at `WALK_URL`; undefined if
 * none is configured. It must be empty, and is not dropped.
 */
function databaseElsewhere(): TestDatabase | undefined {
  const { WALK_DATABASE_URL: appUrl } = process.env;
  return appUrl === undefined ? undefined : { appUrl, ownerUrl: appUrl, drop: async () => undefined };
}

export async function createWebSetting(
  overrides: Parameters<typeof startTestServer>[1] = {},
): Promise<WebSetting> {
  const database = databaseElsewhere() ?? (await createTestDatabase());
  const own = await startTestServer(database, overrides);
  // With `WALK_URL`, the server of this process only creates rows.
  const server = { ...own, url: process.env['WALK_URL'] ?? own.url };
  const browser = await sharedBrowser();
  const windows = windowsOf(browser, server);
  const window = (person: TestPerson | null, options: BrowserContextOptions = {}) =>
    windows.take(person, options);

  return {
    database,
    server,
    browser,
    window,
    async open(person, path, { at = server.url, ...options } = {}) {
      const elsewhere = { ...server, url: at };
      const page = await (at === server.url
        ? window(person, options)
        : openAs(browser, elsewhere, person, options));
      await page.goto(path);
      return page;
    },
    async closeWindows() {
      const others = browser.contexts().filter((context) => !windows.holds(context));
      await Promise.all([windows.putBack(), ...others.map((context) => context.close())]);
    },
    async end() {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await server.stop();
      await database.drop();
    },
  };
}
