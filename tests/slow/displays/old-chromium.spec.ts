import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER_ARGS, findChromium } from '#tests/support/browser/browser.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createDisplay } from '#tests/support/rows/displays.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Chromium 80, the oldest available version, one version after that of panels from 2021. It is fetched only for this test,
// together with a driver of its time, because no current driver supports it.

const PACKAGES = ['chrome-aws-lambda@2.1.1', 'puppeteer-core@2.1.1'];
const FOLDER = fileURLToPath(new URL('../../../.cache/old-chromium', import.meta.url));

/** The part of the old driver that is used here. */
type OldPage = {
  setViewport(size: { width: number; height: number }): Promise<void>;
  setCookie(cookie: { name: string; value: string; url: string; path: string }): Promise<void>;
  goto(url: string): Promise<unknown>;
  evaluate<Result>(work: () => Result): Promise<Result>;
  on(event: 'pageerror', hear: (error: Error) => void): void;
  close(): Promise<void>;
};
type OldBrowser = { newPage(): Promise<OldPage>; version(): Promise<string>; close(): Promise<void> };
type Driver = { launch(options: object): Promise<OldBrowser> };

let database: TestDatabase;
let server: TestServer;
let browser: OldBrowser;
let admin: TestPerson;
let building: TestBuilding;

/** This Chromium was built only for these machines. */
const isBuiltForThis = process.platform === 'linux' && process.arch === 'x64';

beforeAll(async () => {
  if (!isBuiltForThis) return;
  database = await createTestDatabase();
  server = await startTestServer(database);
  admin = await createPerson(server.services, { role: 'admin' });
  building = await createBuilding(server.services, { name: 'Harbour House' });
  browser = await launchOld();
}, 300_000);
afterAll(async () => {
  if (!isBuiltForThis) return;
  await browser.close();
  await server.stop();
  await database.drop();
});

async function launchOld(): Promise<OldBrowser> {
  const key = createHash('sha256').update(PACKAGES.join()).digest('hex');
  const stamp = join(FOLDER, '.installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== key) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }');
    const options = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      '--no-package-lock',
    ];
    await promisify(execFile)('npm', ['install', ...options, ...PACKAGES], { cwd: FOLDER });
    writeFileSync(stamp, key);
  }
  const load = createRequire(join(FOLDER, 'package.json'));
  // The casts: packages without types, which are not installed when this file is compiled.
  const driver = load('puppeteer-core') as Driver;
  const { inflate } = load('lambdafs') as { inflate: (path: string) => Promise<string> };
  const { env } = await findChromium();
  return driver.launch({
    executablePath: await inflate(join(FOLDER, 'node_modules/chrome-aws-lambda/bin/chromium.br')),
    args: [...BROWSER_ARGS, '--no-sandbox', '--single-process', '--no-zygote'],
    env: { ...process.env, ...env },
  });
}

async function openWall(
  cookie: string | undefined,
): Promise<{ page: OldPage; faults: string[]; text: () => Promise<string> }> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.setViewport({ width: 1920, height: 1080 });
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=', 2);
    await page.setCookie({ name, value, url: server.url, path: '/trpc' });
  }
  await page.goto(`${server.url}/wall`);
  return {
    page,
    faults,
    text: () => page.evaluate(() => document.getElementById('wall')?.textContent ?? ''),
  };
}

test.runIf(isBuiltForThis)('in Chromium 80 a screen that is not paired shows its code', async () => {
  expect(await browser.version()).toContain('/80.');
  const { page, faults, text } = await openWall(undefined);
  await expect.poll(text).toMatch(/Pair this screen.*[A-Z]{4}-[A-Z]{4}/);
  const squares = await page.evaluate(
    () => document.querySelector('.qr path')?.getAttribute('d')?.length ?? 0,
  );
  expect(squares).toBeGreaterThan(1_000);
  expect(faults).toEqual([]);
  await page.close();
});

test.runIf(isBuiltForThis)(
  'in Chromium 80 a display is live, fits its panel, and lives through a restart of the server',
  async () => {
    await reportIssues(server, admin, building, [{ title: 'Boiler 1 lockout', priority: 'high' }]);
    const { cookie } = await createDisplay(server.services);
    const { page, faults, text } = await openWall(cookie);
    await expect.poll(text).toContain('Boiler 1 lockout');
    await reportIssues(server, admin, building, [{ title: 'Lift 2 stuck', priority: 'critical' }]);
    await expect.poll(text).toContain('New critical: Lift 2 stuck · Harbour House');
    // Every part is where the current browser has it: nothing is cut off, and the list is beside the figures.
    const boxes = await page.evaluate(() =>
      ['.top', '.band', '.figures', '.list', '.row', '.mark'].map((part) => {
        const box = document.querySelector(part)?.getBoundingClientRect();
        return box === undefined ? null : [box.left, box.top, box.right, box.bottom].map(Math.round);
      }),
    );
    for (const box of boxes) {
      const [left = -1, top = -1, right = -1, bottom = -1] = box ?? [];
      expect(left).toBeGreaterThan(0);
      expect(top).toBeGreaterThan(0);
      expect(right).toBeLessThan(1_920);
      expect(bottom).toBeLessThan(1_080);
      expect(right).toBeGreaterThan(left);
      expect(bottom).toBeGreaterThan(top);
    }
    const [, , figures, list] = boxes;
    expect(list?.[0]).toBeGreaterThan(figures?.[2] ?? Number.NaN);

    const port = Number(new URL(server.url).port);
    await server.stop();
    server = await startTestServer(database, { env: { port } });
    await reportIssues(server, admin, building, [{ title: 'After the restart', priority: 'critical' }]);
    await expect.poll(text).toContain('After the restart');
    expect(faults).toEqual([]);
    await page.close();
  },
);
