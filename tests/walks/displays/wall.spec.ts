import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { displays } from '#db/schema/displays.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/display-settings.ts';
import { displayMessages } from '#shared/features/displays-messages.ts';
import { WALL_WEEKS } from '#shared/features/wall.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createDisplay, type TestDisplay } from '#tests/support/rows/displays.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { isLive, openWall as openPage, PANEL } from '#tests/support/screens/wall-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

type WallOptions = Parameters<typeof openPage>[3] & { url?: string };
const HOUR = 3_600_000;
const clock = dayClock();

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
  setting = await createWebSetting({ clock });
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
const titles = (page: Page) => page.locator('.row-text b').allTextContents();

test('a screen is paired with its code, follows every change, and is blank once it is unpaired', async () => {
  const screen = await setting.window(null, PANEL);
  await screen.goto('/wall');
  await screen.getByText('Pair this screen').waitFor();
  const code = (await screen.locator('.code').textContent()) ?? '';

  const desk = await setting.open(admin, '/displays');
  await desk.getByRole('button', { name: 'Pair Display' }).click();
  await desk.getByLabel('Code on the screen').fill(code.toLowerCase());
  await desk.getByRole('button', { name: displayMessages.looked }).click();
  await desk.getByText(displayMessages.compare).waitFor();
  await desk.getByText('1920 × 1080').waitFor();
  await desk.getByLabel('Name', { exact: true }).fill('Reception');
  await desk.getByRole('button', { name: 'Pair', exact: true }).click();

  await screen.getByText('Nothing critical or high is open').waitFor();
  await report('Lift 2 stuck', 'critical');
  await screen.locator('.row').getByText('Lift 2 stuck').waitFor();
  await screen.locator('.band').getByText('New critical: Lift 2 stuck · Harbour House · just now').waitFor();
  await screen.locator('.figure', { hasText: 'Open issues' }).getByText('1 critical').waitFor();

  await desk.getByText('Last seen').waitFor();
  await desk.getByText('On', { exact: true }).waitFor();
  await desk.getByRole('button', { name: 'Actions for Reception' }).click();
  await desk.getByRole('menuitem', { name: 'Unpair' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Unpair' }).click();
  await screen.getByText('Pair this screen').waitFor();
  expect(await screen.locator('#wall').textContent()).not.toMatch(/Harbour|Lift/);
});

test('a settings change is on the screen at once: buildings, screens, view', async () => {
  const display = await createDisplay(setting.server.services, { name: 'Corridor' });
  await report('Roof leak', 'high');
  const screen = await openWall(display);
  await screen.getByText('Roof leak').waitFor();
  const desk = await setting.open(admin, '/displays');
  await desk.getByRole('button', { name: 'Actions for Corridor' }).click();
  await desk.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('View').selectOption('public');
  await dialog.getByLabel('Today - checks by building').uncheck();
  await dialog.getByLabel('Now - what needs attention').uncheck();
  await dialog.getByLabel('Week - compliance by building').uncheck();
  await dialog.getByText(displayMessages.screensRequired).waitFor();
  await dialog.getByLabel('Now - what needs attention').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await screen.getByText('High, open').waitFor();
  expect(await screen.locator('#wall').textContent()).not.toContain('Roof leak');
});

test('what is most urgent comes first: critical, then the least time left', async () => {
  const { db } = setting.server.services;
  for (const [title, priority, hours] of [
    ['High and overdue', 'high', -5],
    ['Critical in five hours', 'critical', 5],
    ['Critical in three hours', 'critical', 3],
  ] as const) {
    const [id = ''] = await report(title, priority);
    const resolveDueAt = new Date(clock.now().getTime() + (hours + 0.5) * HOUR).toISOString();
    await db
      .update(buildingIssues)
      .set({ resolveDueAt, respondDueAt: null })
      .where(eq(buildingIssues.id, id));
  }
  const screen = await openWall(await createDisplay(setting.server.services));
  await screen.getByText('High and overdue').waitFor();
  expect(await titles(screen)).toEqual([
    'Critical in three hours',
    'Critical in five hours',
    'High and overdue',
  ]);
  expect(await screen.locator('.row-time b').allTextContents()).toEqual(['3 h left', '5 h left', '4 h over']);
});

test('it says by itself how old it is, and is live again with the first frame', async () => {
  let isCut = false;
  let cutAfterNext: (() => void) | undefined;
  const screen = await openWall(await createDisplay(setting.server.services), {
    prepare: async (page) => {
      await page.clock.install();
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
  await screen.getByText('Not current: no word from Lintel for 1 min').waitFor();
  expect(await screen.locator('.body').evaluate((body) => getComputedStyle(body).filter)).toBe(
    'grayscale(1)',
  );
  await screen.clock.fastForward(3 * 60_000);
  await screen.getByText('Not current: no word from Lintel for 4 min').waitFor();
  await screen.clock.fastForward(24 * HOUR);
  await screen.getByText(/^No word from Lintel since/).waitFor();
  expect(await screen.locator('#wall').textContent()).not.toContain('Needs attention');
  isCut = false;
  await screen.clock.fastForward(60_000);
  await isLive(screen);
});

test('a new critical issue takes the screen, and a key stops the rotation for a minute', async () => {
  await report('Door held open', 'high', quayside);
  const screen = await openWall(await createDisplay(setting.server.services), {
    hash: '#week/0',
    prepare: (page) => page.clock.install(),
  });
  await screen.getByText('Compliance', { exact: true }).waitFor();
  await isLive(screen);
  await report('Sprinkler valve tamper', 'critical');
  await screen.getByText('New critical: Sprinkler valve tamper').waitFor();
  await screen.getByText('1–2 of 2').waitFor();
  await screen.clock.fastForward(4 * 60_000);
  await isLive(screen);
  expect(new URL(screen.url()).hash).toBe('#now/0');

  await screen.keyboard.press('ArrowRight');
  await screen.getByText('Checks of this week and month').waitFor();
  await screen.getByText(/Paused/).waitFor();
  await screen.clock.fastForward(50_000);
  expect(new URL(screen.url()).hash).toBe('#today/0');
  await screen.clock.fastForward(11_000);
  await screen.clock.fastForward(20_000);
  await screen.getByText('Compliance', { exact: true }).waitFor();
  // The band stays, on every screen.
  await screen.getByText(/^New critical: Sprinkler valve tamper/).waitFor();
});

test('Week shows the checks of the last year, and marks the weeks in which some were not done', async () => {
  const { services } = setting.server;
  const site = await createBuilding(services, { name: 'Mill Lane' });
  const { id: outlet } = await createAsset(services, { buildingId: site.id, type: 'water_outlet' });
  const display = await createDisplay(services, { buildings: [site.id] });
  const settings = { ...DEFAULT_DISPLAY_SETTINGS, screens: ['week' as const] };
  await services.db.update(displays).set({ settings }).where(eq(displays.id, display.id));
  const screen = await openWall(display);
  await screen.locator('.year').getByText('none due').waitFor();
  expect(await screen.locator('.weeks > .bar-none').count()).toBe(WALL_WEEKS);

  const now = clock.now().toISOString();
  const visitDate = addDays(dayOf(now), -21);
  const visit = { buildingId: site.id, now, visitDate, performedAt: `${visitDate}T09:00:00.000Z` };
  const client = createTestClient(setting.server.url, await signInAs(setting.server, admin));
  const entries = [lineOf('outlet_flushing', 'pass', outlet)];
  await client.checks.record.mutate(visitOf('outlet_flushing', { ...visit, entries }));
  await screen.reload();
  await screen.locator('.year').getByText('33 % done in time').waitFor();
  expect(await screen.locator('.weeks .bar-done').count()).toBe(1);
  expect(await screen.locator('.weeks .bar-missed').count()).toBe(2);
  await screen
    .locator('.months')
    .getByText(/^[A-Z]/)
    .first()
    .waitFor();
});

test('the page of a display is one file, and small', async () => {
  const response = await fetch(`${setting.server.url}/wall`);
  expect(response.headers.get('content-type')).toContain('text/html');
  const text = await response.text();
  // 60 kB, of which each character is one.
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path)).toEqual(['/lintel.svg']);
});
