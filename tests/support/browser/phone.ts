import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { pause } from '#tests/support/pace.ts';
import { PATIENCE } from '../patience.ts';
import { BROWSER_ARGS, findChromium } from './browser.ts';

const SIZE = { width: 390, height: 844 };

/** A browser with a persistent profile, on a screen of a phone's size. */
export type Phone = {
  /** The folder of its profile. */
  readonly profile: string;
  /** Starts the browser if it is not running. */
  open(): Promise<Page>;
  /** Ends the browser at once, as an empty battery does. */
  kill(): Promise<void>;
  /** Closes it as a person does: pending writes are finished. */
  close(): Promise<void>;
  /** Ends it and deletes the profile. */
  discard(): Promise<void>;
};

type Running = {
  process: ChildProcess;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  /** Rejects when the process has ended. */
  gone: Promise<never>;
  browser: Promise<Browser>;
};

/** @param args additional arguments of the browser */
export async function createPhone(args: readonly string[] = []): Promise<Phone> {
  const { path, env } = await findChromium();
  const profile = await mkdtemp(join(tmpdir(), 'lintel-phone-'));
  let running: Running | undefined;

  function start(): Running {
    const portFile = join(profile, 'DevToolsActivePort');
    // Removes the file of the previous browser.
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
      // A process group of its own, so that all its processes can be killed at once.
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
      // A request to a browser that is gone may never settle.
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

/** Waits until the browser has published its port. */
async function connect(portFile: string, ended: Promise<void>): Promise<Browser> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + PATIENCE.timeout;
  for (;;) {
    if (over || Date.now() > deadline) throw new Error('the browser did not start');
    const text = existsSync(portFile) ? readFileSync(portFile, 'utf8') : '';
    const port = /^(\d+)\n/.exec(text)?.[1];
    if (port !== undefined) return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    await pause(50);
  }
}
