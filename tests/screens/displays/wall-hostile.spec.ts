import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { displayBeats, displays } from '#db/schema/displays.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { WALL_ISSUES_MAX } from '#shared/features/displays/wall.ts';
import { uuidv7 } from '#shared/ids.ts';
import { doubleTap, untilNextTapCounts } from '#tests/support/browser/double-tap.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createDisplay } from '#tests/support/rows/displays.ts';
import { isLive, PANEL } from '#tests/support/screens/wall-screen.ts';
import { createWallSite, type WallSite } from '#tests/support/screens/wall-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Rare and hostile use of the page of a display and of the page of displays.

const STANDING = { width: 1080, height: 1920 };
const clock = dayClock();

const setting = setUpWebSetting({ clock });
let here: WallSite;

beforeAll(async () => {
  here = await createWallSite(setting);
});
afterEach(() => here.clear());

/**
 * Holds the calls of a procedure; `release` lets the held calls and all later ones go on.
 * @param what holds the answers, which are old when they arrive, or the calls themselves
 */
async function hold(page: Page, procedure: string, what: 'answers' | 'calls') {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let heard = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    heard = resolve;
  });
  await page.route(`**/trpc/${procedure}`, async (route) => {
    const response = what === 'answers' ? await route.fetch() : undefined;
    heard();
    await released;
    await (response === undefined ? route.continue() : route.fulfill({ response }));
  });
  return { first, release };
}

/** The texts of elements that are wider or higher than the panel. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#wall .middle > *')]
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight;
      })
      .map((one) => one.textContent),
  );

test('the code fits the panel on one line, lying and standing, also when the panel takes its size late', async () => {
  const screen = await setting.window(null, { viewport: { width: 800, height: 600 } });
  await screen.goto('/wall');
  const code = screen.locator('.code');
  await code.waitFor();
  // The widest possible code.
  await code.evaluate((one) => {
    one.textContent = 'WWWW-WWWW';
  });
  for (const size of [STANDING, { width: 1280, height: 720 }, PANEL.viewport, { width: 600, height: 1024 }]) {
    await screen.setViewportSize(size);
    const rem = (Math.min(size.width, size.height) / 1_080) * 44;
    await expect
      .poll(() => screen.evaluate(() => Number.parseFloat(document.documentElement.style.fontSize)))
      .toBeCloseTo(rem, 1);
    const lines = () =>
      code.evaluate((one) =>
        Math.round(one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight)),
      );
    await expect.poll(async () => [size, await lines(), await cut(screen)]).toEqual([size, 1, []]);
  }
});

test('what may be shown no longer goes at once, also while an older answer is on its way', async () => {
  const display = await createDisplay(setting.server.services, { name: 'Corridor' });
  await here.report('Marked title', 'high');
  const screen = await here.open(display, { prepare: (page) => page.clock.install({ time: clock.now() }) });
  await screen.getByText('Marked title').waitFor();
  const answer = await hold(screen, 'displays.wall', 'answers');
  const desk = await setting.open(here.admin, '/displays');
  const edit = async (change: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) => {
    await desk.getByRole('button', { name: 'Actions for Corridor' }).click();
    await desk.getByRole('menuitem', { name: 'Edit' }).click();
    await change(desk.getByRole('dialog'));
    await desk.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await desk.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await edit((dialog) => dialog.getByLabel('Seconds for each page').fill('30'));
  await answer.first;
  await edit((dialog) => dialog.getByLabel('View', { exact: true }).selectOption('public'));
  // A later change of the building, which the display receives after the change of its view.
  await here.report('Later', 'high');
  // At once: long before the 15 s after which a display reads again by itself.
  await screen.clock.pauseAt(clock.now().getTime() + 6_000);
  answer.release();
  await expect
    .poll(async () => {
      await screen.clock.runFor(10);
      return screen.locator('.row-text').allTextContents();
    })
    .toEqual(['Harbour HouseHigh, open', 'Harbour HouseHigh, open']);
});

test('unpaired while a beat is on its way, a screen asks for one code', async () => {
  const display = await createDisplay(setting.server.services, { name: 'Lobby' });
  let codes = 0;
  let beat: Awaited<ReturnType<typeof hold>> | undefined;
  const screen = await here.open(display, {
    prepare: async (page) => {
      page.on('request', (request) => {
        if (request.url().endsWith('displays.requestCode')) codes += 1;
      });
      beat = await hold(page, 'displays.beat', 'calls');
    },
  });
  await isLive(screen);
  await beat?.first;
  const desk = await setting.open(here.admin, '/displays');
  await desk.getByRole('button', { name: 'Actions for Lobby' }).click();
  await desk.getByRole('menuitem', { name: 'Unpair' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Unpair' }).dblclick();
  await desk.getByText(displayMessages.unpaired).waitFor();
  await screen.getByText('Pair this screen').waitFor();
  const code = await screen.locator('.code').textContent();
  const answered = screen.waitForResponse('**/trpc/displays.claim');
  beat?.release();
  await answered;
  await screen.waitForResponse('**/trpc/displays.claim');
  expect([codes, await screen.locator('.code').textContent()]).toEqual([1, code]);
  expect(await desk.getByText(displayMessages.unpairFailed).count()).toBe(0);
});

test('a device whose clock is years off shows the time of the server', async () => {
  for (const time of ['1999-12-31T23:59:00Z', '2041-06-01T12:00:00Z']) {
    const screen = await here.open(await createDisplay(setting.server.services), {
      prepare: (page) => page.clock.install({ time: new Date(time) }),
    });
    await isLive(screen);
    const day = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      timeZone: 'Europe/London',
    });
    await screen.locator('.clock').getByText(day.format(clock.now())).waitFor();
    await here.report(`Reported to ${time}`, 'high');
    const row = screen.locator('.row', { hasText: `Reported to ${time}` });
    await row.getByText('just now').waitFor();
    await screen.context().close();
  }
});

test('among more critical issues than it holds, a new one takes the screen', async () => {
  const { services } = setting.server;
  const count = WALL_ISSUES_MAX + 40;
  const createdAt = clock.now().toISOString();
  const resolveDueAt = new Date(clock.now().getTime() + 60_000).toISOString();
  const about = { buildingId: here.harbour.id, description: '', priority: 'critical' } as const;
  const old = Array.from({ length: count }, (_, n) => ({
    ...{ ...about, id: uuidv7(), referenceNumber: `OLD-${n}`, title: `Old ${n}` },
    ...{ createdAt, updatedAt: createdAt, resolveDueAt },
  }));
  await services.db.insert(buildingIssues).values(old);
  const screen = await here.open(await createDisplay(services), {
    hash: '#week/0',
    prepare: (page) => page.clock.install(),
  });
  await isLive(screen);
  await screen.locator('.band').getByText(`${count} critical not acknowledged:`).waitFor();
  await here.report('Gas smell in the kitchen', 'critical');
  await screen
    .locator('.band')
    .getByText(/critical not acknowledged: Gas smell in the kitchen/)
    .waitFor();
  await expect.poll(() => new URL(screen.url()).hash).toBe('#now/0');
  // The same after it has read everything again, which it does at most every 15 s.
  await screen.clock.fastForward(16_000);
  await screen
    .locator('.band')
    .getByText(`${count + 1} critical not acknowledged: Gas smell in the kitchen`)
    .waitFor();
  await screen
    .locator('.head')
    .getByText(`of ${count + 1}`)
    .waitFor();
});

test('two taps do one thing, and a setting out of bounds is said at its field', async () => {
  const { db } = setting.server.services;
  const screen = await setting.window(null, PANEL);
  await screen.goto('/wall');
  const code = (await screen.locator('.code').textContent()) ?? '';
  const phone = await setting.open(here.admin, `/displays?code=${code.replace('-', '')}`, PHONE);
  await phone.getByRole('button', { name: displayMessages.looked }).dblclick();
  const dialog = phone.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Twice');
  const seconds = dialog.getByLabel('Seconds for each page');
  await seconds.fill('3');
  await dialog.getByText(displayMessages.between(5, 600)).waitFor();
  for (const label of [/^Now - /, /^Today - /, /^Week - /]) await dialog.getByLabel(label).uncheck();
  await dialog.getByText(displayMessages.screensRequired).waitFor();
  await dialog.getByLabel(/^Now - /).check();
  await dialog.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect.poll(() => seconds.evaluate((one) => one === document.activeElement)).toBe(true);
  const named = () => db.select().from(displays).where(eq(displays.name, 'Twice'));
  expect(await named()).toEqual([]);
  await seconds.fill('15');
  await dialog.getByRole('button', { name: 'Pair', exact: true }).dblclick();
  await phone.getByText(displayMessages.paired).waitFor();
  await isLive(screen);
  await expect.poll(async () => (await named()).map(({ settings }) => settings.seconds)).toEqual([15]);
  // The one failure is about the setting that was out of bounds.
  expect(await phone.getByText(displayMessages.pairFailed).count()).toBe(1);
});

test('a double tap asks each thing of a display once', async () => {
  const { db } = setting.server.services;
  const name = 'Tapped twice';
  const display = await createDisplay(setting.server.services, { name });
  const old = await here.open(display);
  await isLive(old);
  const stored = async () => {
    const [row] = await db.select().from(displays).where(eq(displays.id, display.id));
    if (row === undefined) throw new Error('the display is gone');
    return row;
  };
  const phone = await setting.open(here.admin, '/displays', PHONE);
  const choose = async (action: string) => {
    await phone.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await doubleTap(phone, phone.getByRole('menuitem', { name: action, exact: true }));
  };
  const dialog = phone.getByRole('dialog');
  const untilVersion = (version: number) => expect.poll(async () => (await stored()).version).toBe(version);
  const { version } = await stored();

  await choose('Pause');
  await untilVersion(version + 1);
  await choose('Reload');
  await untilVersion(version + 2);
  expect(await stored()).toMatchObject({ pausedAt: expect.any(String), reloadAskedAt: expect.any(String) });
  await choose('Edit');
  await dialog.getByLabel('Seconds for each page').fill('30');
  await doubleTap(phone, dialog.getByRole('button', { name: 'Save' }));
  await dialog.waitFor({ state: 'detached' });
  await untilVersion(version + 3);

  const screen = await setting.window(null, PANEL);
  await screen.goto('/wall');
  const code = (await screen.locator('.code').textContent()) ?? '';
  await choose('Replace screen');
  await dialog.getByLabel('Code on the screen').fill(code);
  await doubleTap(phone, dialog.getByRole('button', { name: displayMessages.looked }));
  const replace = dialog.getByRole('button', { name: 'Replace Screen' });
  await replace.waitFor();
  expect(await old.locator('.code').count()).toBe(0);
  // Replace Screen appeared at the place of Check Code.
  await untilNextTapCounts(phone);
  await doubleTap(phone, replace);
  await isLive(screen);
  await old.locator('.code').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject({ version: version + 4, settings: { seconds: 30 } });
  expect(await phone.getByRole('menu').count()).toBe(0);
});

test('a display that was never seen is silent since it was paired', async () => {
  const { db } = setting.server.services;
  const display = await createDisplay(setting.server.services, { name: 'Never hung' });
  await db.delete(displayBeats).where(eq(displayBeats.displayId, display.id));
  const createdAt = new Date(clock.now().getTime() - 16 * 60_000).toISOString();
  await db.update(displays).set({ createdAt }).where(eq(displays.id, display.id));
  const desk = await setting.open(here.admin, '/dashboard');
  await desk.getByText('Never hung').waitFor();
  await desk.goto('/displays');
  const card = desk.getByRole('heading', { name: 'Never hung' }).locator('xpath=ancestor::div[3]');
  await card.getByText(displayMessages.never).waitFor();
  await card.getByText(displayMessages.silent).waitFor();
});
