import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import type { TestServer } from '../server/server.ts';
import { enterAs, openAs } from './pages.ts';

/** The windows of one server. After a test a window is emptied, and a later test gets it again. */
export type Windows = {
  /** Returns an empty window, signed in as this person, or without a session for null. */
  take(person: { id: string; role: string | null } | null, options: BrowserContextOptions): Promise<Page>;
  /** Empties the windows that were taken, and closes those that cannot be emptied. */
  putBack(): Promise<void>;
  holds(context: BrowserContext): boolean;
};

type Window = {
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  /** The sessions that the test attached: their changes end when they are detached. */
  sessions: CDPSession[];
  /** The options with which the window was opened. */
  options: string;
  isTaken: boolean;
  /** Set by a change that cannot be undone. */
  isSpoilt: boolean;
};

/** Calls with an effect that lasts as long as the window. */
const LASTING = {
  context: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'on', 'once'],
    ...['routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation'],
  ],
  page: [
    ...['addInitScript', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'routeFromHAR', 'routeWebSocket'],
    ...['setDefaultNavigationTimeout', 'setDefaultTimeout', 'setExtraHTTPHeaders', 'setViewportSize'],
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
  keyboard: ['down'],
  mouse: ['down'],
} as const;

/** Events that a test may have listened to. */
const HEARD = [
  ...['console', 'dialog', 'download', 'filechooser', 'framenavigated', 'load', 'pageerror', 'popup'],
  ...['request', 'requestfailed', 'requestfinished', 'response', 'websocket', 'worker'],
];

/**
 * Reuses windows, because opening a new one takes three times as long as a page load in a used one: a new window needs a
 * process, its cache is empty, and all code has to be compiled. From test to test a window keeps only the cached code.
 */
export function windowsOf(browser: Browser, server: TestServer): Windows {
  const windows = new Set<Window>();

  async function create(asked: BrowserContextOptions, options: string): Promise<Window> {
    const page = await openAs(browser, server, null, asked);
    const context = page.context();
    const session = await context.newCDPSession(page);
    // The caches and answers of a service worker cannot be undone.
    const isSpoilt = asked.serviceWorkers === 'allow';
    const window: Window = { context, page, session, sessions: [], options, isTaken: true, isSpoilt };
    const spoil = () => {
      window.isSpoilt = true;
    };
    tellCalls(context, LASTING.context, spoil);
    tellCalls(page, LASTING.page, spoil);
    tellCalls(context.clock, LASTING.clock, spoil);
    tellCalls(page.keyboard, LASTING.keyboard, spoil);
    tellCalls(page.mouse, LASTING.mouse, spoil);
    const attach = context.newCDPSession.bind(context);
    context.newCDPSession = async (to) => {
      const attached = await attach(to);
      window.sessions.push(attached);
      return attached;
    };
    windows.add(window);
    return window;
  }

  async function putBack(window: Window): Promise<void> {
    if (!window.isTaken) return;
    if (!window.isSpoilt && !window.page.isClosed() && (await isEmptied(window, server.url))) {
      window.isTaken = false;
      return;
    }
    windows.delete(window);
    await window.context.close();
  }

  return {
    async take(person, asked) {
      const options = JSON.stringify(asked);
      const resting = [...windows].find((one) => !one.isTaken && one.options === options);
      if (resting !== undefined) resting.isTaken = true;
      const { context, page } = resting ?? (await create(asked, options));
      if (person !== null) await enterAs(context, server, person);
      return page;
    },
    async putBack() {
      await Promise.all([...windows].map(putBack));
    },
    holds: (context) => [...windows].some((one) => one.context === context),
  };
}

/** Empties a window. @returns whether this succeeded; if not, the window cannot be used again */
async function isEmptied({ context, page, session, sessions }: Window, url: string): Promise<boolean> {
  try {
    await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
    for (const event of HEARD) page.removeAllListeners(event);
    await Promise.all(sessions.splice(0).map((one) => one.detach()));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    // A page of the same origin that does nothing: it ends the app, so the data that the app writes at its end is removed, too.
    await page.goto(`${url}/nothing.txt`);
    await page.evaluate(() => {
      sessionStorage.clear();
      window.name = '';
    });
    await context.clearCookies();
    await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
    await session.send('Page.resetNavigationHistory');
    await page.mouse.move(0, 0);
    return true;
  } catch {
    return false;
  }
}

function tellCalls<T extends object>(target: T, names: readonly string[], tell: () => void): void {
  for (const name of names) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') throw new Error(`a window has no ${name}`);
    Reflect.set(target, name, (...given: unknown[]) => {
      tell();
      return Reflect.apply(method, target, given);
    });
  }
}
