import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { enterAs } from '#tests/support/browser/pages.ts';
import { createPhone, type Phone } from '#tests/support/browser/phone.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { MIRROR_CACHE } from '#web/offline/storage/mirror-cache.ts';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));

let database: TestDatabase;
let server: TestServer;
let proxy: TcpProxy;
let phone: Phone;
let dist: string;
let url: string;
let online = true;
let operative: TestPerson;
let light: string;

beforeAll(async () => {
  database = await createTestDatabase();
  // A copy of the build, in which a newer version can be deployed.
  dist = await mkdtemp(join(tmpdir(), 'lintel-dist-'));
  await cp(DIST, dist, { recursive: true });
  server = await startTestServer(database, { dist });
  const port = Number(new URL(server.url).port);
  proxy = await startTcpProxy(() => (online ? port : undefined));
  url = `http://127.0.0.1:${proxy.port}`;
  const building = await createBuilding(server.services, { name: 'Harbour House' });
  operative = await createPerson(server.services, {
    role: 'operative',
    firstName: 'Omar',
    buildings: [building.id],
  });
  ({ id: light } = await createAsset(server.services, {
    buildingId: building.id,
    name: 'Exit sign',
    type: 'emergency_light',
  }));
  phone = await createPhone();
});
afterEach(async () => {
  await phone.close();
  goOnline();
});
afterAll(async () => {
  await phone.discard();
  await proxy.close();
  await server.stop();
  await database.drop();
  await rm(dist, { recursive: true, force: true });
});

function goOffline(): void {
  online = false;
  proxy.cut();
}
function goOnline(): void {
  online = true;
}

async function signIn(page: Page): Promise<void> {
  await enterAs(page.context(), server, operative, { url, lasting: true });
}

/** Waits until everything needed to start without a network is stored. */
async function kept(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
    });
  await expect.poll(isKept).toBe(true);
}

async function ready(): Promise<Page> {
  const page = await phone.open();
  await signIn(page);
  await page.goto(`${url}/dashboard`);
  await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  await kept(page);
  return page;
}

describe('without a network', () => {
  test('the app opens after a cold start, for the person who was signed in, and goes on when it is back', async () => {
    await ready();
    await phone.close();
    goOffline();
    const page = await phone.open();
    await page.goto(`${url}/dashboard`);
    await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    expect(await page.locator('[data-live=live]').count()).toBe(0);
    goOnline();
    await page.locator('[data-live=live]').waitFor();
    await page.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
  });

  test('a label opens the form of the next check from what is kept', async () => {
    const page = await ready();
    await page.goto(`${url}/operative-tasks/emergency-lighting`);
    await page.locator(`[data-row="${light}"]`).waitFor();
    await phone.close();
    goOffline();
    const again = await phone.open();
    await again.goto(`${url}/a/${light}`);
    await again.locator(`[data-row="${light}"]`).waitFor();
    expect(new URL(again.url()).searchParams.get('asset')).toBe(light);
  });

  test('nothing that the server knows is kept by the worker', async () => {
    const page = await ready();
    const paths = await page.evaluate(async () => {
      const found: string[] = [];
      for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys())
          found.push(new URL(request.url).pathname);
      }
      return found;
    });
    expect(paths).toContain('/index.html');
    expect(paths.filter((path) => /^\/(trpc|files)/.test(path))).toEqual([]);
  });

  test('a person whose session has expired meanwhile is asked to sign in, and told why that must wait', async () => {
    const page = await ready();
    await page.evaluate(() => {
      const record = JSON.parse(localStorage.getItem('lintel.session') ?? '{}');
      localStorage.setItem(
        'lintel.session',
        // As a role that cannot record checks: an operative could continue recording.
        JSON.stringify({ ...record, role: 'viewer', expiresAt: '2020-01-01T00:00:00Z' }),
      );
    });
    goOffline();
    await page.goto(`${url}/dashboard`);
    await page.getByText('your session on this device has expired').waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/login');
  });

  test('a person who was never signed in on this phone, or has signed out, is not let in', async () => {
    const page = await ready();
    await page.evaluate(() => localStorage.removeItem('lintel.session'));
    goOffline();
    await page.goto(`${url}/dashboard`);
    await page.getByText("The server can't be reached at the moment.").waitFor();
    expect(await page.getByText('Omar').count()).toBe(0);
  });
});

describe('a new version', () => {
  test('waits until a person takes it; other tabs keep theirs, with all of its code', async () => {
    const page = await ready();
    const other = await page.context().newPage();
    await other.goto(`${url}/dashboard`);
    await other.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    const before = await versionOf(page);

    const gone = await deployNewVersion();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await page.getByText('A new version is ready').waitFor();
    // Until then a reload opens the old version.
    expect(await page.title()).not.toContain('newer');
    await page.getByRole('button', { name: 'Update now' }).click();
    await page.waitForFunction(() => document.documentElement.dataset['version'] === 'newer');
    expect(await versionOf(page)).not.toEqual(before);

    expect(await other.evaluate(() => document.documentElement.dataset['version'])).toBeUndefined();
    await other.getByText('A new version is ready').waitFor();
    expect(await other.evaluate(async (path) => (await fetch(path)).status, gone)).toBe(200);
  });

  test('is all there or not at all: one that is cut off while it comes leaves the old one working', async () => {
    const page = await ready();
    const before = await versionOf(page);
    await page.goto(`${url}/operative-tasks`);
    const promise = page.getByText('Ready for offline', { exact: true });
    await promise.waitFor();
    await deployNewVersion('/assets/never-there.js');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update().catch(() => undefined);
    });
    const comes = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return registration?.installing === null && registration.waiting === null;
      });
    await expect.poll(comes).toBe(true);
    expect(await promise.count()).toBe(1);
    await phone.close();
    goOffline();
    const again = await phone.open();
    await again.goto(`${url}/dashboard`);
    await again.getByRole('heading', { name: 'Welcome, Omar' }).waitFor();
    expect(await again.getByText('A new version is ready').count()).toBe(0);
    expect((await versionOf(again))[0]).toBe(before[0]);
  });
});

test('a page removes the worker and what it keeps, and nothing that a person saved', async () => {
  const page = await ready();
  await page.evaluate(() => localStorage.setItem('lintel.kept', 'yes'));
  await page.goto(`${url}/unregister.html`);
  await page.getByText('What you have saved on this device is still here.').waitFor();
  const left = await page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
    kept: localStorage.getItem('lintel.kept'),
  }));
  expect(left).toEqual({ workers: 0, caches: [MIRROR_CACHE], kept: 'yes' });
});

test('the worker and the page are never answered from a cache of the browser', async () => {
  for (const path of ['/sw.js', '/', '/manifest.webmanifest']) {
    expect((await fetch(`${url}${path}`)).headers.get('cache-control')).toBe('no-cache');
  }
});

/** Returns the names of the stored shells, the active one first. */
function versionOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('lintel-shell-')));
}

let deployed = 0;
/**
 * Replaces the served build by one whose page is marked as newer, and removes one of its files.
 * @returns the path of a script that only the previous build had
 */
async function deployNewVersion(alsoNeeds?: string): Promise<string> {
  deployed += 1;
  const { createHash } = await import('node:crypto');
  const page = join(dist, 'index.html');
  const text = (await readFile(page, 'utf8')).replace(
    /<html[^>]*>/,
    '<html lang="en-GB" data-version="newer">',
  );
  await replace(page, text);
  const worker = join(dist, 'sw.js');
  const code = await readFile(worker, 'utf8');
  const build = JSON.parse(/^const BUILD = (.*);$/m.exec(code)?.[1] ?? '');
  build.version = `newer${deployed}`;
  build.files['/index.html'] = createHash('sha256').update(text).digest('hex');
  const gone: string = build.assets.find((path: string) => /\/asset-labels-page-.*\.js$/.test(path));
  build.assets = build.assets.filter((path: string) => path !== gone);
  if (alsoNeeds !== undefined) build.assets.push(alsoNeeds);
  await replace(worker, code.replace(/^const BUILD = .*;$/m, `const BUILD = ${JSON.stringify(build)};`));
  if (gone !== undefined)
    await Promise.all(copiesOf(join(dist, gone)).map((file) => rm(file, { force: true })));
  return gone;
}

/** Returns a built file and its compressed copies. */
function copiesOf(file: string): string[] {
  return [file, `${file}.br`, `${file}.gz`];
}

async function replace(file: string, text: string): Promise<void> {
  await Promise.all(copiesOf(file).map((copy) => rm(copy, { force: true })));
  await writeFile(file, text);
}
