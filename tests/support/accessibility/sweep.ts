import axe from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '../browser/web-setting.ts';
import { HERE, type Screen, type Screens } from './screen.ts';
import { type AccessibleSite, createAccessibleSite } from './site.ts';

const DESK = { width: 1440, height: 900 };

declare global {
  interface Window {
    /** Injected into each page under test. */
    axe: typeof axe;
  }
}

let setting: WebSetting;
let site: AccessibleSite;

/** Declares a test for each screen: no serious violation at the desk and on the phone, light and dark. */
export function testAccessibility(screens: Screens): void {
  beforeAll(async () => {
    setting = await createWebSetting();
    site = await createAccessibleSite(setting.server);
  });
  afterAll(async () => {
    windows.clear();
    await setting.end();
  });
  test.each(Object.entries(screens))(
    '%s: nothing serious, at the desk and on the phone, light and dark',
    (_name, screen) => nothingSeriousOn(screen),
  );
}

type OpenWindow = { page: Page; session: CDPSession };

/** One window per role: in a window that has loaded the app before, a screen costs a third of its cost in a new tab. */
const windows = new Map<Screen['who'], Promise<OpenWindow>>();

async function open({ who, path }: Screen): Promise<OpenWindow> {
  const before = windows.get(who);
  const opening = before ?? openFor(who);
  windows.set(who, opening);
  const { page, session } = await opening;
  if (before !== undefined) {
    await page.evaluate(() => sessionStorage.clear());
    await becomeDesk(session);
  }
  await page.goto(path.replace(HERE, site.building.id));
  await page.waitForFunction((px) => innerWidth === px && matchMedia('(pointer: fine)').matches, DESK.width);
  return { page, session };
}

async function openFor(who: Screen['who']): Promise<OpenWindow> {
  const page = await setting.window(who === 'visitor' ? null : site.people[who], { viewport: DESK });
  return { page, session: await page.context().newCDPSession(page) };
}

/** Gives the window the size of a desktop screen again, without touch input. */
async function becomeDesk(session: CDPSession): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await session.send('Emulation.setDeviceMetricsOverride', { ...DESK, deviceScaleFactor: 1, mobile: false });
}

/** Gives the window the size of a phone's screen, and touch input. */
async function becomePhone({ page, session }: OpenWindow, width: 390 | 360): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const metrics = { width, height: width === 390 ? 844 : 640, deviceScaleFactor: 1, mobile: true };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.waitForFunction((px) => innerWidth === px && matchMedia('(pointer: coarse)').matches, width);
}

/** Asserts that the page does not scroll sideways. */
async function nothingBeside(page: Page): Promise<void> {
  const beside = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  await expect.poll(beside).toBeLessThanOrEqual(0);
}

const settled = (page: Page) => page.waitForFunction(() => document.querySelector('.shimmer') === null);

async function nothingSeriousOn(screen: Screen): Promise<void> {
  const window = await open(screen);
  const { page } = window;
  // Includes hidden headings, because a dialog that opens with the page makes the page inert.
  await page.getByRole('heading', { name: screen.heading, includeHidden: true }).first().waitFor();
  await screen.act?.(page);
  await settled(page);
  await page.evaluate(axe.source);
  await nothingSerious(page, 'at the desk');
  await nothingBeside(page);

  await becomePhone(window, 390);
  await screen.actOnPhone?.(page);
  await settled(page);
  await nothingSerious(page, 'on the phone');
  await nothingBeside(page);
  await becomePhone(window, 360);
  await nothingBeside(page);
}

/**
 * Scans the page in light mode, then its contrast in dark mode, which changes colours only. Polled until the page has
 * settled, because transitions cause false findings.
 */
async function nothingSerious(page: Page, where: string): Promise<void> {
  await expect.poll(() => seriousIn(page), { message: `${where}, light` }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const contrast = () => seriousIn(page, ['color-contrast']);
  await expect.poll(contrast, { message: `${where}, dark` }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

function seriousIn(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate(async (only) => {
    const options = only === undefined ? {} : { runOnly: only };
    // Only violations: the other results are not used, and describing them takes most of the time.
    const { violations } = await window.axe.run({ resultTypes: ['violations'], ...options });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => {
        const places = nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`);
        return `${id}: ${places.join(', ')}`;
      });
  }, rules);
}
