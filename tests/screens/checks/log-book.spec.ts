import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { visitOf } from '#tests/support/rows/checks.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { announcement, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createLogSite, type LogSite } from '#tests/support/screens/log-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock, env: { logsUnderRebuild: ['emergency_lighting_test'] } });
let here: LogSite;

beforeAll(async () => {
  here = await createLogSite(setting);
});

const week = (page: Page, start: string) => page.locator(`tr[data-week="${start}"]`);

describe('the fire alarm log', () => {
  test('the thread tells what followed, also without access to issues, and leads to the retest', async () => {
    const failed = await here.tested('2025-02-07', { place: 'Landing', passed: false, notes: 'No sound' });
    await here.tested('2025-02-08', { place: 'Landing', notes: 'Sounder replaced' });
    const page = await setting.open(here.manager, `${here.year(2025)}&entry=${failed}`);
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
    const cookie = await signInAs(setting.server, here.manager);
    const bytes = picture();
    const photo = announcement(bytes, { issueId });
    await createTestClient(setting.server.url, cookie).photos.announce.mutate(photo);
    await putPhoto(setting.server.url, cookie, photo.id, 0, bytes);
    await thread.locator('li', { hasText: 'Raised HAR-' }).getByRole('img', { name: '1 of 1' }).waitFor();

    const theirs = await setting.open(here.operative, 'about:blank');
    const asked: string[] = [];
    theirs.on('request', (request) => asked.push(decodeURIComponent(request.url())));
    await theirs.goto(`${setting.server.url}${here.year(2025)}&entry=${failed}`);
    const told = theirs.getByRole('dialog', { name: 'Landing' });
    await told.getByText(/Raised HAR-\d+ · Open/).waitFor();
    expect(await told.getByRole('link', { name: /Raised/ }).count()).toBe(0);
    await expect.poll(() => asked.some((url) => url.includes('photos.list'))).toBe(true);
    expect(asked.filter((url) => url.includes('photos.list') && url.includes(issueId))).toEqual([]);
  });

  test('a false alarm recorded elsewhere has a row of its own, and its week stays untested', async () => {
    const page = await setting.open(here.viewer, here.year(2025));
    await week(page, '2025-09-05').getByText('Not tested').waitFor();
    const { now, ...day } = here.on('2025-09-08');
    const line = { id: uuidv7(), photoIds: [], happenedAt: '00:04', source: 'detector', assetId: null };
    const said = {
      setOffBy: 'Kitchen detector',
      cause: 'Burnt toast',
      actionTaken: 'Panel reset',
      notes: null,
    };
    await here.api.checks.record.mutate(
      visitOf('false_alarm', { ...day, now, buildingId: here.harbour.id, entries: [{ ...line, ...said }] }),
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
    await page.goto(`${here.year(2025)}&entries=false_alarm`);
    await lines.filter({ hasText: 'Kitchen detector' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await week(page, '2025-09-05').waitFor();
  });

  test('a failure counts until the same point has passed in that week; every record unfolds', async () => {
    await here.tested('2025-01-10', { place: 'Basement', passed: false, notes: 'Glass broken' });
    await here.tested('2025-01-11', { place: 'Front Door' });
    const page = await setting.open(here.manager, here.year(2025));
    const second = week(page, '2025-01-10');
    await second.getByText('Fail', { exact: true }).waitFor();
    await second.getByText(/Raised HAR-\d+/).waitFor();
    await here.tested('2025-01-12', { place: 'Basement', operativeName: 'Tom Baker' });
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
});

describe('all sites', () => {
  test('is walked through by keyboard: arrows from square to square, Enter opens', async () => {
    await here.tested('2025-04-04', { place: 'Attic' });
    const page = await setting.open(here.viewer, '/logbook/fire-alarm?year=2025');
    const grid = page.getByRole('grid', { name: 'The year, site by site' });
    await grid.getByRole('link', { name: /^Harbour House/ }).waitFor();
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
    await grid.getByRole('link', { name: /^Harbour House/ }).focus();
    const focused = page.locator(':focus');
    const label = () => focused.getAttribute('aria-label');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused.getAttribute('data-row')).toBe(here.mill.id);
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
    expect(new URL(page.url()).searchParams.get('building')).toBe(here.harbour.id);
  });

  test('the list narrows by result and operative, from the address; the file holds the same', async () => {
    await here.tested('2025-05-02', { operativeName: 'Olu Ade', passed: false, place: 'Roof' });
    await here.tested('2025-05-09', { place: 'Basement' });
    const page = await setting.open(here.manager, '/logbook/fire-alarm?year=2025&result=fail&operative=olu');
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
      JSON.stringify({ kind: 'fire_alarm_test', year: 2025, buildingId: here.mill.id }),
    );
    const year = await page.request.get(`${setting.server.url}/files/export/checks.csv?filter=${filter}`);
    expect((await year.text()).match(/not_tested/g)).toHaveLength(52);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => lines.count()).toBeGreaterThan(1);
  });
});

test('a log that is switched off says so, and nothing else', async () => {
  const page = await setting.open(here.manager, '/logbook/emergency-lighting');
  await page.getByText('This feature is currently being rebuilt. Please check back later.').waitFor();
  expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
});

test('an outlet has its readings by month, and a line of them with its limit', async () => {
  const line = (celsius: number) => ({
    id: uuidv7(),
    photoIds: [],
    outletId: here.outlet,
    temperatureCelsius: celsius,
    blendedCelsius: null,
    notes: null,
  });
  for (const [day, celsius] of [
    ['2026-01-12', 55.2],
    ['2026-02-10', 31.5],
  ] as const) {
    await here.api.checks.record.mutate(
      visitOf('water_temperature_check', {
        ...here.on(day),
        buildingId: here.harbour.id,
        entries: [line(celsius)],
      }),
    );
  }
  const page = await setting.open(
    here.manager,
    `/logbook/water-temperature?building=${here.harbour.id}&year=2026`,
  );
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
