import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { displayBeats, displays } from '#db/schema/displays.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { WALL_WEEKS } from '#shared/features/displays/wall.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createDisplay } from '#tests/support/rows/displays.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { isLive, openWall } from '#tests/support/screens/wall-screen.ts';
import { createWallSite, type WallSite } from '#tests/support/screens/wall-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { startTestServer } from '#tests/support/server/server.ts';

const HOUR = 3_600_000;
const clock = dayClock();

declare global {
  interface Window {
    /** Exposed to the page by a test: receives the text of the page after each change. */
    saw: (text: string) => void;
  }
}

const setting = setUpWebSetting({ clock });
let here: WallSite;

beforeAll(async () => {
  here = await createWallSite(setting);
});
afterEach(() => here.clear());

test('an acknowledged issue leaves the band: by name in the manager’s view, without in the public one', async () => {
  const { services } = setting.server;
  const mona = await createPerson(services, {
    role: 'manager',
    firstName: 'Mona',
    lastName: 'Manager',
    buildings: [here.harbour.id],
  });
  const office = await here.open(await createDisplay(services));
  const corridor = await here.open(await createDisplay(services, { view: 'public' }));
  await isLive(office);
  await isLive(corridor);
  const [id = ''] = await here.report('Gas smell in the kitchen', 'critical');
  await office.getByText('New critical: Gas smell in the kitchen').waitFor();
  await corridor.getByText('New critical: Harbour House').waitFor();

  const phone = await setting.open(mona, `/building-issues?building=${here.harbour.id}&issue=${id}`, PHONE);
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

test('it says by itself how old it is, and is live again with the first frame', async () => {
  let isCut = false;
  let cutAfterNext: (() => void) | undefined;
  const screen = await here.open(await createDisplay(setting.server.services), {
    prepare: async (page) => {
      await page.clock.install();
      // A page without messages for a long time reloads as soon as the server answers.
      await page.route('**/readyz', (route) => (isCut ? route.abort() : route.continue()));
      await page.routeWebSocket(/\/trpc/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (isCut) return;
          socket.send(message);
          cutAfterNext?.();
        });
      });
    },
  });
  await isLive(screen);
  await new Promise<void>((resolve) => {
    cutAfterNext = () => {
      cutAfterNext = undefined;
      isCut = true;
      resolve();
    };
  });
  await screen.clock.fastForward(8_000);
  expect(await screen.locator('.top.is-live').count()).toBe(1);
  await screen.clock.fastForward(4_000);
  await screen.getByText(/^Reconnecting · as of \d\d:\d\d:\d\d$/).waitFor();
  await screen.clock.fastForward(50_000);
  await screen.getByText('Out of date: no contact with Lintel for 1 min').waitFor();
  expect(await screen.locator('.body').evaluate((body) => getComputedStyle(body).filter)).toBe(
    'grayscale(1)',
  );
  await screen.clock.fastForward(3 * 60_000);
  await screen.getByText('Out of date: no contact with Lintel for 4 min').waitFor();
  await screen.clock.fastForward(24 * HOUR);
  await screen.getByText(/^No contact with Lintel since/).waitFor();
  expect(await screen.locator('#wall').textContent()).not.toContain('Needs attention');
  isCut = false;
  await screen.clock.fastForward(60_000);
  await isLive(screen);
});

test('a new critical issue takes the screen, and a key stops the rotation for a minute', async () => {
  await here.report('Door held open', 'high', here.quayside);
  const screen = await here.open(await createDisplay(setting.server.services), {
    hash: '#week/0',
    prepare: (page) => page.clock.install(),
  });
  await screen.getByText('Compliance', { exact: true }).waitFor();
  await isLive(screen);
  await here.report('Sprinkler valve tamper', 'critical');
  await screen.getByText('New critical: Sprinkler valve tamper').waitFor();
  await screen.getByText('1–2 of 2').waitFor();
  await screen.clock.fastForward(4 * 60_000);
  await isLive(screen);
  expect(new URL(screen.url()).hash).toBe('#now/0');

  await screen.keyboard.press('ArrowRight');
  await screen.getByText("This week's and month's checks").waitFor();
  await screen.getByText(/Paused/).waitFor();
  await screen.clock.fastForward(50_000);
  expect(new URL(screen.url()).hash).toBe('#today/0');
  await screen.clock.fastForward(11_000);
  await screen.clock.fastForward(20_000);
  await screen.getByText('Compliance', { exact: true }).waitFor();
  // The band stays on every page of the rotation.
  await screen.getByText(/^New critical: Sprinkler valve tamper/).waitFor();
});

test('Week shows the checks of the last year, and marks the weeks in which some were not done', async () => {
  const { services } = setting.server;
  const site = await createBuilding(services, { name: 'Mill Lane' });
  const { id: outlet } = await createAsset(services, { buildingId: site.id, type: 'water_outlet' });
  const display = await createDisplay(services, { buildings: [site.id] });
  const settings = { ...DEFAULT_DISPLAY_SETTINGS, screens: ['week' as const] };
  await services.db.update(displays).set({ settings }).where(eq(displays.id, display.id));
  const screen = await here.open(display);
  await screen.locator('.year').getByText('none due').waitFor();
  expect(await screen.locator('.weeks > .bar-none').count()).toBe(WALL_WEEKS);

  const now = clock.now().toISOString();
  const visitDate = addDays(dayOf(now), -21);
  const visit = { buildingId: site.id, now, visitDate, performedAt: `${visitDate}T09:00:00.000Z` };
  const client = createTestClient(setting.server.url, await signInAs(setting.server, here.admin));
  const entries = [lineOf('outlet_flushing', 'pass', outlet)];
  await client.checks.record.mutate(visitOf('outlet_flushing', { ...visit, entries }));
  await screen.reload();
  await screen.locator('.year').getByText('33% done in time').waitFor();
  expect(await screen.locator('.weeks .bar-done').count()).toBe(1);
  expect(await screen.locator('.weeks .bar-missed').count()).toBe(2);
  await screen
    .locator('.months')
    .getByText(/^[A-Z]/)
    .first()
    .waitFor();
});

test('it loads a new version only once the server is ready, and shows the same page again', async () => {
  let isReady = false;
  let loads = 0;
  const { services } = setting.server;
  const display = await createDisplay(services);
  // The display is paused, so that its page does not change before the reload.
  const pausedAt = clock.now().toISOString();
  await services.db.update(displays).set({ pausedAt }).where(eq(displays.id, display.id));
  const screen = await here.open(display, {
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
  await screen.getByText("This week's and month's checks").waitFor();
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
  await screen.getByText(/This week's and month's checks/).waitFor();
});

test('through a restart of the server it shows what it had, and never a form', async () => {
  const { database } = setting;
  const own = await startTestServer(database, { clock });
  const display = await createDisplay(own.services);
  const port = Number(new URL(own.url).port);
  await here.report('Boiler 1 lockout', 'high');
  const screen = await openWall(setting.browser, own.url, display);
  await screen.getByText('Boiler 1 lockout').waitFor();
  const seen = new Set<string>();
  await screen.exposeFunction('saw', (text: string) => seen.add(text));
  await screen.evaluate(() => {
    new MutationObserver(() => {
      window.saw(document.body.textContent ?? '');
    }).observe(document.body, { childList: true, subtree: true });
  });
  await own.stop();
  const again = await startTestServer(database, { clock, env: { port } });
  await reportIssues(again, here.admin, here.quayside, [
    { title: 'After the restart', priority: 'critical' },
  ]);
  await screen.locator('.row').getByText('After the restart').waitFor();
  for (const text of seen) expect(text).toContain('Boiler 1 lockout');
  await screen.context().close();
  await again.stop();
});

test('administrators see which display is silent', async () => {
  const { db } = setting.server.services;
  const display = await createDisplay(setting.server.services, { name: 'Plant room' });
  const screen = await here.open(display);
  await isLive(screen);
  const beat = () => db.select().from(displayBeats).where(eq(displayBeats.displayId, display.id));
  await expect.poll(async () => (await beat()).length).toBe(1);
  const [told] = await beat();
  expect(told).toMatchObject({ width: 1920, height: 1080 });
  expect(told?.build).toMatch(/^[0-9a-f]{16}$/);
  await screen.context().close();
  const seenAt = new Date(clock.now().getTime() - 15 * 60_000).toISOString();
  await db.update(displayBeats).set({ seenAt }).where(eq(displayBeats.displayId, display.id));
  const desk = await setting.open(here.admin, '/displays');
  const card = desk.locator('main').locator('div', { hasText: 'Plant room' });
  await card.getByText(displayMessages.silent).first().waitFor();
  await desk.goto('/dashboard');
  await desk.getByRole('link', { name: displayMessages.silentCount(1) }).waitFor();
  await desk.getByText(': Plant room').waitFor();
});
