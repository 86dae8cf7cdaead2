import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { BROWSER_ARGS, findChromium } from './browser.ts';

const SIZE = { width: 390, height: 844 };
const STARTS_WITHIN_MS = 30_000;

/** A browser with a profile that outlives it, on a screen of a phone's size. */
export type Phone = {
  /** The folder of its profile. */
  readonly profile: string;
  /** Starts the browser, if it does not run. */
  open(): Promise<Page>;
  /** Ends the browser as a battery does: at once, without a goodbye. */
  kill(): Promise<void>;
  /** Ends it as a person does: what it was about to write is written. */
  close(): Promise<void>;
  context(): BrowserContext;
  /** Ends it and forgets the profile. */
  discard(): Promise<void>;
};

/** @param args for the browser, besides its usual ones */
export async function createPhone(args: readonly string[] = []): Promise<Phone> {
  const profile = await mkdtemp(join(tmpdir(), 'lintel-phone-'));
  let running: { process: ChildProcess; browser: Browser; ended: Promise<void> } | undefined;

  async function start() {
    const { path, env } = await findChromium();
    const portFile = join(profile, 'DevToolsActivePort');
    // Of the browser before.
    rmSync(portFile, { force: true });
    const process_ = spawn(
      path,
      [
        ...BROWSER_ARGS,
        '--headless=new',
        '--no-sandbox',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        ...args,
        `--window-size=${SIZE.width},${SIZE.height}`,
        'about:blank',
      ],
      // A group of its own, so that all of its processes can be ended in one moment.
      { stdio: 'ignore', detached: true, env: { ...process.env, ...env } },
    );
    const ended = new Promise<void>((resolve) => process_.once('exit', () => resolve()));
    const deadline = Date.now() + STARTS_WITHIN_MS;
    let port: string | undefined;
    while (port === undefined) {
      if (Date.now() > deadline || process_.exitCode !== null) throw new Error('the browser did not start');
      const text = existsSync(portFile) ? readFileSync(portFile, 'utf8') : '';
      port = /^(\d+)\n/.exec(text)?.[1];
      if (port === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    return { process: process_, browser, ended };
  }

  function context(): BrowserContext {
    const found = running?.browser.contexts()[0];
    if (found === undefined) throw new Error('the browser does not run');
    return found;
  }

  async function end(how: (at: NonNullable<typeof running>) => Promise<void>): Promise<void> {
    const at = running;
    if (at === undefined) return;
    running = undefined;
    await how(at);
    await at.ended;
    await at.browser.close().catch(() => undefined);
  }

  return {
    profile,
    context,
    async open() {
      running ??= await start();
      context().setDefaultTimeout(20_000);
      const page = await context().newPage();
      await page.setViewportSize(SIZE);
      return page;
    },
    kill: () =>
      end(async ({ process: { pid } }) => {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      }),
    close: () =>
      end(async ({ browser }) => {
        const session = await browser.newBrowserCDPSession();
        await session.send('Browser.close').catch(() => undefined);
      }),
    async discard() {
      await end(async ({ process: { pid } }) => {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      });
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
