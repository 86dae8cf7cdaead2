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
  /** Ends it and forgets the profile. */
  discard(): Promise<void>;
};

type Running = {
  process: ChildProcess;
  /** Once its process is gone. */
  ended: Promise<void>;
  /** Rejects then. */
  gone: Promise<never>;
  browser: Promise<Browser>;
};

/** @param args for the browser, besides its usual ones */
export async function createPhone(args: readonly string[] = []): Promise<Phone> {
  const { path, env } = await findChromium();
  const profile = await mkdtemp(join(tmpdir(), 'lintel-phone-'));
  let running: Running | undefined;

  function start(): Running {
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
    const gone = ended.then(() => Promise.reject(new Error('the browser has ended')));
    const browser = Promise.race([connect(portFile, ended), gone]);
    for (const promise of [gone, browser]) promise.catch(() => undefined);
    return { process: process_, ended, gone, browser };
  }

  function contextOf(browser: Browser): BrowserContext {
    const found = browser.contexts()[0];
    if (found === undefined) throw new Error('the browser does not run');
    return found;
  }

  async function end(how: (at: Running) => Promise<void>): Promise<void> {
    const at = running;
    if (at === undefined) return;
    running = undefined;
    await how(at);
    await at.ended;
    const browser = await at.browser.catch(() => undefined);
    await browser?.close().catch(() => undefined);
  }

  async function killNow({ process: { pid, exitCode, signalCode } }: Running): Promise<void> {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }

  return {
    profile,
    async open() {
      running ??= start();
      const at = running;
      const context = contextOf(await at.browser);
      context.setDefaultTimeout(20_000);
      // What was asked of a browser that is gone need not end at all.
      const page = await Promise.race([context.newPage(), at.gone]);
      await page.setViewportSize(SIZE);
      return page;
    },
    kill: () => end(killNow),
    close: () =>
      end(async (at) => {
        const session = await (await at.browser).newBrowserCDPSession();
        await session.send('Browser.close').catch(() => undefined);
      }),
    async discard() {
      await end(killNow);
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Waits until the browser says where it listens. */
async function connect(portFile: string, ended: Promise<void>): Promise<Browser> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    if (over || Date.now() > deadline) throw new Error('the browser did not start');
    const text = existsSync(portFile) ? readFileSync(portFile, 'utf8') : '';
    const port = /^(\d+)\n/.exec(text)?.[1];
    if (port !== undefined) return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
