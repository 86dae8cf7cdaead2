import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { periodOf } from '#shared/check-periods.ts';
import { dayOf } from '#shared/dates.ts';
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
import { announcement, picture, putPhoto } from '#tests/support/rows/photos.ts';
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
let outlet: string;
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
  outlet = (await createAsset(services, sink)).id;
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
  test('has the weeks of 2025 from 3 January, of 2027 fifty-three; nothing recorded is not tested', async () => {
    const page = await setting.open(viewer, site(2025));
    await week(page, '2025-01-03').getByText('Fri 3 Jan 2025').waitFor();
    expect(await weeks(page).count()).toBe(52);
    await week(page, '2025-12-26').getByText('Not tested').waitFor();
    expect(await page.getByRole('link', { name: logMessages.addRecord }).count()).toBe(0);
    await page.goto(site(2027));
    await week(page, '2027-12-31').waitFor();
    expect(await weeks(page).count()).toBe(53);
  });

  test('the thread tells what followed, also without access to issues, and leads to the retest', async () => {
    const failed = await tested('2025-02-07', { place: 'Landing', passed: false, notes: 'No sound' });
    await tested('2025-02-08', { place: 'Landing', notes: 'Sounder replaced' });
    const page = await setting.open(manager, `${site(2025)}&entry=${failed}`);
    const thread = page.getByRole('dialog', { name: 'Landing' });
    await thread.getByRole('link', { name: /Raised HAR-/ }).waitFor();
    await thread.getByText('Sounder replaced').waitFor();
    await thread.getByRole('link', { name: /Retested/ }).click();
    await page.getByRole('dialog', { name: 'Landing' }).getByText('Sat 8 Feb 2025').first().waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Landing' }).getByText('Fri 7 Feb 2025').first().waitFor();

    // Photos added to the issue usually show the fix.
    const raised = await thread.getByRole('link', { name: /Raised HAR-/ }).getAttribute('href');
    const issueId = new URLSearchParams(raised?.split('?')[1]).get('issue') ?? '';
    const cookie = await signInAs(setting.server, manager);
    const bytes = picture();
    const photo = announcement(bytes, { issueId });
    await createTestClient(setting.server.url, cookie).photos.announce.mutate(photo);
    await putPhoto(setting.server.url, cookie, photo.id, 0, bytes);
    await thread.locator('li', { hasText: 'Raised HAR-' }).getByRole('img', { name: '1 of 1' }).waitFor();

    const theirs = await setting.open(operative, 'about:blank');
    const asked: string[] = [];
    theirs.on('request', (request) => asked.push(decodeURIComponent(request.url())));
    await theirs.goto(`${setting.server.url}${site(2025)}&entry=${failed}`);
    const told = theirs.getByRole('dialog', { name: 'Landing' });
    await told.getByText(/Raised HAR-\d+ · Open/).waitFor();
    expect(await told.getByRole('link', { name: /Raised/ }).count()).toBe(0);
    await expect.poll(() => asked.some((url) => url.includes('photos.list'))).toBe(true);
    expect(asked.filter((url) => url.includes('photos.list') && url.includes(issueId))).toEqual([]);
  });

  test('a false alarm recorded elsewhere has a row of its own, and its week stays untested', async () => {
    const page = await setting.open(viewer, site(2025));
    await week(page, '2025-09-05').getByText('Not tested').waitFor();
    const { now, ...day } = on('2025-09-08');
    const line = { id: uuidv7(), photoIds: [], happenedAt: '00:04', source: 'detector', assetId: null };
    const said = {
      setOffBy: 'Kitchen detector',
      cause: 'Burnt toast',
      actionTaken: 'Panel reset',
      notes: null,
    };
    await api.checks.record.mutate(
      visitOf('false_alarm', { ...day, now, buildingId: harbour.id, entries: [{ ...line, ...said }] }),
    );
    const row = page.locator('tr[data-incident="false_alarm"]');
    await row.getByText('Burnt toast').waitFor();
    expect(await week(page, '2025-09-05').getAttribute('data-result')).toBe('not_tested');
    await row.getByRole('link').click();
    const thread = page.getByRole('dialog');
    await thread.getByText('Panel reset').first().waitFor();
    expect(await thread.getByText('False alarm').count()).toBeGreaterThan(0);

    // Filtered to false alarms by the URL, for all sites and for one.
    await page.goto('/logbook/fire-alarm?year=2025');
    await page.getByLabel('Entries').selectOption('False alarm');
    await expect.poll(() => new URL(page.url()).searchParams.get('entries')).toBe('false_alarm');
    const lines = page.locator('tr[data-entry]');
    await lines.filter({ hasText: 'Kitchen detector' }).waitFor();
    expect(await lines.count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain(
      'false_alarm',
    );
    await page.goto(`${site(2025)}&entries=false_alarm`);
    await lines.filter({ hasText: 'Kitchen detector' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await week(page, '2025-09-05').waitFor();
  });
});

describe('all sites', () => {
  test('is walked through by keyboard: arrows from square to square, Enter opens', async () => {
    await tested('2025-04-04', { place: 'Attic' });
    const page = await setting.open(viewer, '/logbook/fire-alarm?year=2025');
    const grid = page.getByRole('grid', { name: 'The year, site by site' });
    await grid.getByRole('link', { name: /^Harbour House/ }).waitFor();
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
    await grid.getByRole('link', { name: /^Harbour House/ }).focus();
    const focused = page.locator(':focus');
    const label = () => focused.getAttribute('aria-label');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused.getAttribute('data-row')).toBe(mill.id);
    await page.keyboard.press('End');
    await expect.poll(label).toBe('Week 52, Fri 26 Dec 2025: not due');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused.getAttribute('title')).toBe('Harbour House');
    for (let week = 1; week <= 14; week += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(label).toBe('Week 14, Fri 4 Apr 2025: passed');
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('period')).toBe('2025-04-04');
    expect(new URL(page.url()).searchParams.get('building')).toBe(harbour.id);
  });

  test('what is recorded stands in open logs: in the list and in the week of a site', async () => {
    const [list, weekly] = await Promise.all([
      setting.open(viewer, '/logbook/fire-alarm?year=2026'),
      setting.open(manager, site(2026)),
    ]);
    await Promise.all([live(list), live(weekly)]);
    await Promise.all([list.locator('ul li').first().waitFor(), weeks(weekly).first().waitFor()]);
    const today = dayOf(clock.now());
    const { start } = periodOf('weekly', today);
    const id = await tested(today, { place: 'Stair' });
    await list.locator(`tr[data-entry="${id}"]`).waitFor();
    await weekly.locator(`tr[data-week="${start}"] a[href*="${id}"]`).waitFor();
  });
});

test('a log that is switched off says so, and nothing else', async () => {
  const page = await setting.open(manager, '/logbook/emergency-lighting');
  await page.getByText('This feature is currently being rebuilt. Please check back later.').waitFor();
  expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
});

test('an outlet has its readings by month, and a line of them with its limit', async () => {
  const line = (celsius: number) => ({
    id: uuidv7(),
    photoIds: [],
    outletId: outlet,
    temperatureCelsius: celsius,
    blendedCelsius: null,
    notes: null,
  });
  for (const [day, celsius] of [
    ['2026-01-12', 55.2],
    ['2026-02-10', 31.5],
  ] as const) {
    await api.checks.record.mutate(
      visitOf('water_temperature_check', { ...on(day), buildingId: harbour.id, entries: [line(celsius)] }),
    );
  }
  const page = await setting.open(manager, `/logbook/water-temperature?building=${harbour.id}&year=2026`);
  await page.getByRole('link', { name: /31.5/ }).waitFor();
  await page.getByRole('link', { name: 'Kitchen sink' }).click();
  const dialog = page.getByRole('dialog', { name: 'Kitchen sink' });
  await dialog.getByRole('img', { name: /2 readings/ }).waitFor();
  await dialog.getByText('at least 50 °C').first().waitFor();
  await dialog.getByRole('link', { name: 'Tue 10 Feb 2026' }).click();
  await page
    .getByRole('dialog', { name: 'Kitchen sink' })
    .getByText(/Raised HAR-/)
    .first()
    .waitFor();
});
