// Takes a picture of every screen, at four widths, light and dark, as each sample account, for people to look at.
// Starts its own server with its own data. The pictures are stored in .screenshots/, which git ignores.
//   npm run screenshots                          everything
//   npm run screenshots -- issues                only screens whose name contains this text
//   npm run screenshots -- issues 1440-light     and only at this width and colour scheme
//   npm run screenshots -- wall-now wall-1080    a display on a wall, on the panels whose size begins with 1080
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Shot } from '#scripts/lib/shot.ts';
import { ACCOUNTS, VISITOR } from '#scripts/lib/shots.ts';
import { takeWalls } from '#scripts/lib/wall-shots.ts';
import { launchBrowser } from '#tests/support/browser/browser.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, '.screenshots');
const PASSWORD = 'lintel-demo';
const START_MS = 300_000;

const WIDTHS = [
  { width: 360, height: 740, phone: true },
  { width: 390, height: 844, phone: true },
  { width: 768, height: 1024, phone: false },
  { width: 1440, height: 900, phone: false },
] as const;
const SCHEMES = ['light', 'dark'] as const;

const [, , wanted = '', onlyAt = ''] = process.argv;
const dataDir = mkdtempSync(join(tmpdir(), 'lintel-screenshots-'));
const port = await freePort();
const server = spawn(process.execPath, ['--import', 'tsx', 'server/boot/main.ts'], {
  cwd: ROOT,
  env: {
    ...process.env,
    SAMPLE_DATA: '1',
    LINTEL_DEMO: '1',
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let browser: Browser | undefined;
try {
  const url = await ready(server);
  mkdirSync(OUT, { recursive: true });
  browser = await launchBrowser();
  let taken = 0;
  for (const size of WIDTHS) {
    for (const scheme of SCHEMES) {
      const suffix = `${size.width}-${scheme}`;
      if (!suffix.includes(onlyAt)) continue;
      taken += await takeAll(await contextFor(browser, url, size, scheme), 'visitor', VISITOR, suffix);
      for (const [account, shots] of Object.entries(ACCOUNTS)) {
        const context = await contextFor(browser, url, size, scheme);
        await signIn(context, account);
        taken += await takeAll(context, account, shots, suffix);
      }
      process.stdout.write(`${suffix}: done\n`);
    }
  }
  const isAsked = (name: string, panel: string) => name.includes(wanted) && panel.includes(onlyAt);
  const desk = await browser.newContext({ baseURL: url });
  await signIn(desk, 'admin');
  taken += await takeWalls(browser, desk, { url, out: OUT, isAsked });
  process.stdout.write(`${taken} pictures in ${OUT}\n`);
} finally {
  await browser?.close();
  await stop(server);
  rmSync(dataDir, { recursive: true, force: true });
}

function contextFor(
  from: Browser,
  baseURL: string,
  { width, height, phone }: (typeof WIDTHS)[number],
  colorScheme: (typeof SCHEMES)[number],
): Promise<BrowserContext> {
  return from.newContext({
    baseURL,
    viewport: { width, height },
    colorScheme,
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: 'reduce',
  });
}

async function signIn(context: BrowserContext, account: string): Promise<void> {
  const page = await context.newPage();
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(`${account}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await page.close();
}

async function takeAll(
  context: BrowserContext,
  who: string,
  shots: readonly Shot[],
  suffix: string,
): Promise<number> {
  let taken = 0;
  const width = Number.parseInt(suffix, 10);
  const asked = ({ name, wide = false, phone }: Shot) =>
    name.includes(wanted) && (width < 640 ? wide === false : phone !== true && width >= Number(wide));
  for (const shot of shots.filter(asked)) {
    const page = await context.newPage();
    try {
      await shot.prepare?.(page);
      await page.goto(shot.path);
      if (shot.until === undefined) await settled(page);
      await shot.act?.(page);
      await (shot.until ?? settled)(page);
      await page.screenshot({ path: join(OUT, `${shot.name}-${who}-${suffix}.png`) });
      taken += 1;
    } catch (error) {
      // If one screen cannot be reached, the pictures of the others are still taken.
      process.exitCode = 1;
      await page
        .screenshot({ path: join(OUT, `failed-${shot.name}-${who}-${suffix}.png`) })
        .catch(() => undefined);
      process.stderr.write(
        `${shot.name}-${who}-${suffix}: ${String(error).split('\n').slice(0, 4).join(' ')}\n`,
      );
    } finally {
      await context.setOffline(false);
      await page.close();
    }
  }
  await context.close();
  return taken;
}

/** Waits until fonts are loaded, no skeleton is left, and the last answer has been drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.fonts.status === 'loaded' && !document.querySelector('.shimmer'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('No port')),
      );
    });
  });
}

/** Resolves with the server's URL when the server reports that it is ready. */
function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The server was not ready in time:\n${said}`)), START_MS);
    child.once('exit', (code) =>
      reject(new Error(`The server ended (${code}) before it was ready:\n${said}`)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /Lintel is ready at (\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await gone;
}
