import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { displayBeats, displays } from '#db/schema/displays.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { displayMessages } from '#shared/features/displays-messages.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createDisplay, type TestDisplay } from '#tests/support/rows/displays.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { isLive, openWall as openPage } from '#tests/support/screens/wall-screen.ts';
import { startTestServer } from '#tests/support/server/server.ts';

type WallOptions = Parameters<typeof openPage>[3] & { url?: string };

declare global {
  interface Window {
    /** Exposed to the page by a test: takes what the page shows after each change. */
    saw: (text: string) => void;
  }
}

let setting: WebSetting;
let admin: TestPerson;
let harbour: TestBuilding;
let quayside: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting();
  const { services } = setting.server;
  admin = await createPerson(services, { role: 'admin' });
  harbour = await createBuilding(services, { name: 'Harbour House' });
  quayside = await createBuilding(services, { name: 'Quayside 4' });
});
afterEach(async () => {
  await setting.closeWindows();
  await setting.server.services.db.delete(buildingIssues);
});
afterAll(() => setting.end());

const report = (title: string, priority: 'high' | 'critical', building = harbour) =>
  reportIssues(setting.server, admin, building, [{ title, priority }]);

const openWall = (display: TestDisplay, { url = setting.server.url, ...options }: WallOptions = {}) =>
  openPage(setting.browser, url, display, options);

test('an acknowledged issue leaves the band: by name in the manager’s view, without in the public one', async () => {
  const { services } = setting.server;
  const mona = await createPerson(services, {
    role: 'manager',
    firstName: 'Mona',
    lastName: 'Manager',
    buildings: [harbour.id],
  });
  const office = await openWall(await createDisplay(services));
  const corridor = await openWall(await createDisplay(services, { view: 'public' }));
  await isLive(office);
  await isLive(corridor);
  const [id = ''] = await report('Gas smell in the kitchen', 'critical');
  await office.getByText('New critical: Gas smell in the kitchen').waitFor();
  await corridor.getByText('New critical: Harbour House').waitFor();

  const phone = await setting.open(mona, `/building-issues?building=${harbour.id}&issue=${id}`, PHONE);
  const dialog = phone.getByRole('dialog', { name: 'Gas smell in the kitchen' });
  await dialog.getByRole('button', { name: 'Acknowledge' }).dblclick();
  await dialog.getByText('acknowledged the issue').waitFor();
  expect(await dialog.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await office.getByText(/^Acknowledged \d\d:\d\d by Mona Manager: Gas smell in the kitchen/).waitFor();
  await corridor.getByText(/^Acknowledged \d\d:\d\d: Harbour House$/).waitFor();
  expect(await corridor.locator('#wall').textContent()).not.toContain('Mona');
  // Nobody has responded yet, so the issue is where it was.
  await office.locator('.row').getByText('Gas smell in the kitchen').waitFor();
});

test('it loads a new version only once the server is ready, and shows the same page again', async () => {
  let isReady = false;
  let loads = 0;
  const { services } = setting.server;
  const display = await createDisplay(services);
  // So that the page to come back to does not change meanwhile.
  const pausedAt = services.clock.now().toISOString();
  await services.db.update(displays).set({ pausedAt }).where(eq(displays.id, display.id));
  const screen = await openWall(display, {
    hash: '#today/0',
    prepare: async (page) => {
      await page.clock.install();
      page.on('load', () => {
        loads += 1;
      });
      await page.route('**/readyz', (route) => (isReady ? route.continue() : route.fulfill({ status: 503 })));
      await page.route('**/wall', async (route) => {
        if (route.request().isNavigationRequest()) return route.continue();
        const page = await (await route.fetch()).text();
        return route.fulfill({
          body: page.replace(/name="version" content="\w+"/, 'name="version" content="0123456789abcdef"'),
        });
      });
    },
  });
  await screen.getByText('Checks of this week and month').waitFor();
  const asked = screen.waitForRequest('**/readyz');
  await screen.clock.fastForward(11 * 60_000);
  await screen.clock.runFor(5_000);
  await asked;
  expect(loads).toBe(1);
  isReady = true;
  await expect
    .poll(async () => {
      await screen.clock.runFor(2_000).catch(() => undefined);
      return loads;
    })
    .toBeGreaterThan(1);
  await screen.getByText(/Checks of this week and month/).waitFor();
});

test('through a restart of the server it shows what it had, and never a form', async () => {
  const { database } = setting;
  const own = await startTestServer(database);
  const display = await createDisplay(own.services);
  const port = Number(new URL(own.url).port);
  await report('Boiler 1 lockout', 'high');
  const screen = await openWall(display, { url: own.url });
  await screen.getByText('Boiler 1 lockout').waitFor();
  const seen = new Set<string>();
  await screen.exposeFunction('saw', (text: string) => seen.add(text));
  await screen.evaluate(() => {
    new MutationObserver(() => {
      window.saw(document.body.textContent ?? '');
    }).observe(document.body, { childList: true, subtree: true });
  });
  await own.stop();
  const again = await startTestServer(database, { env: { port } });
  await reportIssues(again, admin, quayside, [{ title: 'After the restart', priority: 'critical' }]);
  await screen.locator('.row').getByText('After the restart').waitFor();
  for (const text of seen) expect(text).toContain('Boiler 1 lockout');
  await screen.context().close();
  await again.stop();
});

test('administrators see which display is silent', async () => {
  const { db } = setting.server.services;
  const display = await createDisplay(setting.server.services, { name: 'Plant room' });
  const screen = await openWall(display);
  await isLive(screen);
  const beat = () => db.select().from(displayBeats).where(eq(displayBeats.displayId, display.id));
  await expect.poll(async () => (await beat()).length).toBe(1);
  const [told] = await beat();
  expect(told).toMatchObject({ width: 1920, height: 1080 });
  expect(told?.build).toMatch(/^[0-9a-f]{16}$/);
  await screen.context().close();
  const seenAt = new Date(Date.now() - 15 * 60_000).toISOString();
  await db.update(displayBeats).set({ seenAt }).where(eq(displayBeats.displayId, display.id));
  const desk = await setting.open(admin, '/displays');
  const card = desk.locator('main').locator('div', { hasText: 'Plant room' });
  await card.getByText(displayMessages.silent).first().waitFor();
  await desk.goto('/dashboard');
  await desk.getByRole('link', { name: displayMessages.silentCount(1) }).waitFor();
  await desk.getByText(': Plant room').waitFor();
});
