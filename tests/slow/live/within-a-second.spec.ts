import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { periodOf } from '#shared/check-periods.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { openStream } from '#tests/support/live/live-client.ts';
import { watchFor } from '#tests/support/live/seen-at.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { card, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

/** A change must be visible in another window within a second, by that window's clock. */
const WITHIN_MS = 1_000;

let setting: WebSetting;
let here: TestBuilding;
let there: TestBuilding;
let administrator: TestClient;

beforeAll(async () => {
  setting = await createWebSetting();
  const { server } = setting;
  here = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  there = await createBuilding(server.services, { name: 'Mill Lane Studios', code: 'MIL' });
  const admin = await createPerson(server.services, { role: 'admin' });
  administrator = createTestClient(server.url, await signInAs(server, admin));
  await reportIssues(server, admin, there, [{ title: 'Studio 6 without heating' }]);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const person = (role: 'viewer' | 'manager') =>
  createPerson(setting.server.services, { role, buildings: [here.id, there.id] });
const revoke = ({ id: userId }: TestPerson) =>
  administrator.users.revoke.mutate({ operationId: uuidv7(), userId, buildingId: there.id });

/** Measures how long the page still shows a title, by the page's clock, from when the change was made. */
async function shownFor(page: Page, title: string, change: () => Promise<unknown>): Promise<number> {
  await page.evaluate((text) => {
    const gone = () => !document.body.textContent?.includes(text);
    const done = new Promise<number>((resolve) => {
      new MutationObserver((_, observer) => {
        if (!gone()) return;
        observer.disconnect();
        resolve(performance.timeOrigin + performance.now());
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    Object.assign(window, { whenGone: done });
  }, title);
  await change();
  const changed = performance.timeOrigin + performance.now();
  return (await page.evaluate(() => Reflect.get(window, 'whenGone') as Promise<number>)) - changed;
}

test('access that is revoked takes the cards away', async () => {
  const viewer = await person('viewer');
  const page = await setting.open(viewer, '/building-issues?building=all');
  await card(page, 'Open', 'Studio 6').waitFor();
  await live(page);
  expect(await shownFor(page, 'Studio 6', () => revoke(viewer))).toBeLessThan(WITHIN_MS);
});

test('access that is revoked takes the content of open details away', async () => {
  const manager = await person('manager');
  const page = await setting.open(manager, '/building-issues?building=all');
  await live(page);
  await openDetails(page, 'Studio 6');
  expect(await shownFor(page, 'Studio 6', () => revoke(manager))).toBeLessThan(WITHIN_MS);
});

test('access that is revoked is told on the stream', async () => {
  const viewer = await person('viewer');
  const { url } = setting.server;
  const stream = openStream(url, await signInAs(setting.server, viewer));
  await expect.poll(() => stream.frames.length).toBeGreaterThan(0);
  await revoke(viewer);
  const revoked = performance.now();
  await expect.poll(() => stream.frames.some(({ access }) => access !== undefined)).toBe(true);
  expect(performance.now() - revoked).toBeLessThan(WITHIN_MS);
  await stream.close();
});

test('what is recorded is in open logs: in the lists of a building and of all, and in the week of a site', async () => {
  const now = new Date().toISOString();
  const { start } = periodOf('weekly', now.slice(0, 10));
  const log = '/logbook/fire-alarm';
  const year = now.slice(0, 4);
  const [list, weekly] = await Promise.all([
    setting.open(await person('viewer'), `${log}?year=${year}`),
    setting.open(await person('manager'), `${log}?building=${here.id}&year=${year}`),
  ]);
  await Promise.all([live(list), live(weekly)]);
  await weekly.locator('tr[data-week]').first().waitFor();
  for (let n = 0; n < 5; n += 1) {
    const line = { ...lineOf('fire_alarm_test', 'pass', 'none'), assetId: null };
    const seen = await Promise.all([
      watchFor(list, `tr[data-entry="${line.id}"]`),
      watchFor(weekly, `tr[data-week="${start}"] a[href*="${line.id}"]`),
    ]);
    await administrator.checks.record.mutate(
      visitOf('fire_alarm_test', { now, buildingId: here.id, entries: [line] }),
    );
    const recorded = performance.timeOrigin + performance.now();
    for (const took of await Promise.all(seen.map((until) => until(recorded)))) {
      expect(took).toBeLessThan(WITHIN_MS);
    }
  }
});

test('the field that another person is in is named, and no longer after its blur, nor once their window is closed', async () => {
  const [hers, theirs] = await Promise.all([
    setting.open(await person('manager'), '/building-issues?building=all'),
    setting.open(await person('viewer'), '/building-issues?building=all'),
  ]);
  await Promise.all([live(hers), live(theirs)]);
  const form = await openDetails(hers, 'Studio 6');
  await openDetails(theirs, 'Studio 6');
  const description = form.getByLabel('Description');
  for (let n = 0; n < 5; n += 1) {
    const named = await watchFor(theirs, '[title$="is editing Description"]');
    const focused = performance.timeOrigin + performance.now();
    await description.focus();
    expect(await named(focused)).toBeLessThan(WITHIN_MS);
    // On the last round the window closes with the field in use.
    const leave = () => (n < 4 ? description.blur() : hers.close());
    expect(await shownFor(theirs, 'is editing Description', leave)).toBeLessThan(WITHIN_MS);
  }
});
