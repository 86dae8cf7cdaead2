import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

let setting: WebSetting;
let harbour: TestBuilding;
let mill: TestBuilding;
let manager: TestPerson;
let operative: TestPerson;
let viewer: TestPerson;
let api: TestClient;

beforeAll(async () => {
  setting = await createWebSetting({ clock, env: { logsUnderRebuild: ['emergency_lighting_test'] } });
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  mill = await createBuilding(services, { name: 'Mill Lane Studios', code: 'MIL' });
  const buildings = [harbour.id, mill.id];
  manager = await createPerson(services, { role: 'manager', buildings, firstName: 'Maya', lastName: 'Osei' });
  operative = await createPerson(services, {
    role: 'operative',
    buildings,
    firstName: 'Aisha',
    lastName: 'Khan',
  });
  viewer = await createPerson(services, { role: 'viewer', buildings });
  api = createTestClient(setting.server.url, await signInAs(setting.server, operative));
  const sink = {
    buildingId: harbour.id,
    type: 'water_outlet',
    name: 'Kitchen sink',
    outletKind: 'hot',
  } as const;
  await createAsset(services, sink);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

type Test = {
  id?: string;
  place?: string;
  passed?: boolean;
  notes?: string;
  operativeName?: string;
  site?: TestBuilding;
};

/** Returns the times of a visit performed shortly after midnight of that day and sent now. */
function on(day: string) {
  return { now: clock.now().toISOString(), visitDate: day, performedAt: `${day}T00:05:00.000Z` };
}

/**
 * Records a fire alarm test.
 * @returns the entry's id
 */
async function tested(
  day: string,
  { place = 'Front Door', passed = true, ...more }: Test = {},
): Promise<string> {
  const { id = uuidv7(), notes = null, operativeName = 'Aisha Khan', site = harbour } = more;
  const line = { id, photoIds: [], locationTested: place, assetId: null, passed, notes };
  await api.checks.record.mutate(
    visitOf('fire_alarm_test', { ...on(day), buildingId: site.id, operativeName, entries: [line] }),
  );
  return id;
}

const week = (page: Page, start: string) => page.locator(`tr[data-week="${start}"]`);
const weeks = (page: Page) => page.locator('tr[data-week]');
const site = (year: number) => `/logbook/fire-alarm?building=${harbour.id}&year=${year}`;

describe('the fire alarm log', () => {
  test('opens at the present week, oldest first, and says on which day the test was', async () => {
    const today = dayOf(clock.now());
    await tested('2025-06-17', { place: 'Loading Bay' });
    const page = await setting.open(viewer, `/logbook/fire-alarm?building=${harbour.id}`);
    await page.locator('tr[aria-current=date]').waitFor();
    await expect
      .poll(() =>
        page.locator('tr[aria-current=date]').evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      )
      .toBe(true);
    expect((await weeks(page).first().getAttribute('data-week'))?.slice(0, 4)).toBe(today.slice(0, 4));
    await page.goto(site(2025));
    await page.getByRole('columnheader', { name: 'Week of' }).waitFor();
    await week(page, '2025-06-13').getByText('Tested Tue 17 Jun 2025').waitFor();
  });

  test('a failure counts until the same point has passed in that week; every record unfolds', async () => {
    await tested('2025-01-10', { place: 'Basement', passed: false, notes: 'Glass broken' });
    await tested('2025-01-11', { place: 'Front Door' });
    const page = await setting.open(manager, site(2025));
    const second = week(page, '2025-01-10');
    await second.getByText('Fail', { exact: true }).waitFor();
    await second.getByText('Raised HAR-0001').waitFor();
    await tested('2025-01-12', { place: 'Basement', operativeName: 'Tom Baker' });
    await second.getByText('Pass', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'Records of week 2' }).click();
    await expect.poll(() => page.locator('li[data-entry]').count()).toBe(3);
    expect(page.url()).toContain('period=2025-01-10');
    // Initials, with the full name on focus.
    const initials = second.getByRole('button', { name: 'Tom Baker' });
    expect(await initials.textContent()).toContain('TB');
    await initials.focus();
    await second.getByText('Tom Baker').waitFor();
  });

  test('an amendment is a further record with a reason, seen elsewhere; the original is struck through', async () => {
    const entry = await tested('2025-03-07', { place: 'Lobby' });
    const [ours, theirs] = await Promise.all([
      setting.open(manager, `${site(2025)}&entry=${entry}`),
      setting.open(viewer, site(2025)),
    ]);
    await live(theirs);
    await week(theirs, '2025-03-07').getByText('Pass', { exact: true }).waitFor();
    await ours.getByRole('button', { name: 'Amend' }).click();
    const dialog = ours.getByRole('dialog', { name: logMessages.amendTitle });
    await dialog.getByLabel('Result').selectOption('Fail');
    await dialog.getByRole('button', { name: 'Save amendment' }).click();
    await dialog.getByText(checkMessages.reasonRequired).waitFor();
    await dialog.getByLabel('Reason').fill('The bell did not ring');
    await dialog.getByRole('button', { name: 'Save amendment' }).click();
    await ours.getByText(checkMessages.amended).waitFor();
    const thread = ours.getByRole('dialog', { name: 'Lobby' });
    await thread.getByText('The bell did not ring').waitFor();
    await thread.locator('.line-through').first().waitFor();
    expect(await thread.getByRole('button', { name: 'Amend' }).count()).toBe(0);
    await week(theirs, '2025-03-07').getByText('Fail', { exact: true }).waitFor();
  });

  test('a missed week asks for its reason, once, and shows it to all', async () => {
    await tested('2025-01-03');
    const [ours, theirs] = await Promise.all([
      setting.open(operative, site(2025)),
      setting.open(viewer, site(2025)),
    ]);
    await live(theirs);
    const missed = week(ours, '2025-08-08');
    await missed.getByRole('button', { name: logMessages.giveReason }).click();
    const dialog = ours.getByRole('dialog', { name: logMessages.reasonTitle });
    await dialog.getByLabel('Reason').fill('Building closed for works');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await missed.getByText('Building closed for works').waitFor();
    await week(theirs, '2025-08-08').getByText('Building closed for works').waitFor();
    expect(await theirs.getByRole('button', { name: logMessages.giveReason }).count()).toBe(0);
    expect(await missed.getByRole('button', { name: logMessages.giveReason }).count()).toBe(0);
  });
});

describe('all sites', () => {
  test('a check recorded elsewhere is seen in the grid, the list and on the cards by itself', async () => {
    const [grid, cards] = await Promise.all([
      setting.open(viewer, '/logbook/fire-alarm?year=2026'),
      setting.open(manager, '/logbook'),
    ]);
    await Promise.all([live(grid), live(cards)]);
    const row = grid.getByRole('link', { name: /Mill Lane Studios/ });
    await row.waitFor();
    expect(await row.textContent()).not.toContain('pass');
    const card = cards.locator('[data-kind=fire_alarm_test]');
    await card.getByText('0 / 2').waitFor();
    const today = dayOf(clock.now());
    const entry = uuidv7();
    await tested(today, { id: entry, site: mill, place: 'Yard' });
    await grid.locator(`tr[data-entry="${entry}"]`).waitFor();
    await grid.getByRole('link', { name: /Mill Lane Studios\s*: 1 pass/ }).waitFor();
    await grid.locator('tr[data-entry]').filter({ hasText: 'Yard' }).waitFor();
    await card.getByText('1 / 2').waitFor();
  });

  test('the list narrows by result and operative, from the address; the file holds the same', async () => {
    await tested('2025-05-02', { operativeName: 'Olu Ade', passed: false, place: 'Roof' });
    const page = await setting.open(manager, '/logbook/fire-alarm?year=2025&result=fail&operative=olu');
    const lines = page.locator('tr[data-entry]');
    await lines.filter({ hasText: 'Roof' }).waitFor();
    expect(await lines.count()).toBe(1);
    const link = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const file = await page.request.get(`${setting.server.url}${link}`);
    const text = await file.text();
    expect(text).toContain('Roof');
    expect(text.trim().split('\r\n')).toHaveLength(2);
    // The export of a site's whole year has a line for each week, with or without a record.
    const filter = encodeURIComponent(
      JSON.stringify({ kind: 'fire_alarm_test', year: 2025, buildingId: mill.id }),
    );
    const year = await page.request.get(`${setting.server.url}/files/export/checks.csv?filter=${filter}`);
    expect((await year.text()).match(/not_tested/g)).toHaveLength(52);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => lines.count()).toBeGreaterThan(1);
  });
});
