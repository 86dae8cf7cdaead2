import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { PHONE, SMALL_PHONE } from '#tests/support/browser/pages.ts';
import { countTaps, tapsOf } from '#tests/support/browser/taps.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

// An operative's shortest way through the checks of a day.

const setting = setUpWebSetting({ clock });
let sites: Record<'harbour' | 'quay' | 'castle', TestBuilding>;
let aisha: TestPerson;
let points: Map<string, { id: string; name: string }>;

/** Creates three sites with two call points each, none of them tested. */
beforeEach(async () => {
  const { services } = setting.server;
  const harbour = await createBuilding(services, { name: 'Harbour House' });
  const { clientId } = harbour;
  const quay = await createBuilding(services, { name: 'Quay Court', clientId });
  const castle = await createBuilding(services, { name: 'Castle House', clientId });
  sites = { harbour, quay, castle };
  points = new Map();
  for (const site of [harbour, quay, castle]) {
    for (const name of ['Basement', 'Front Door']) {
      points.set(
        `${site.name} ${name}`,
        await createAsset(services, { buildingId: site.id, name, type: 'call_point' }),
      );
    }
  }
  const buildings = [harbour.id, quay.id, castle.id];
  aisha = await createPerson(services, {
    role: 'operative',
    buildings,
    firstName: 'Aisha',
    lastName: 'Khan',
  });
});

/** Records another operative's pass from another device. */
async function recordedAt(site: TestBuilding, point = 'Basement', kind: CheckKind = 'fire_alarm_test') {
  const { server } = setting;
  const bob = await createPerson(server.services, {
    role: 'operative',
    buildings: [site.id],
    firstName: 'Bob',
    lastName: 'Reid',
  });
  const api = createTestClient(server.url, await signInAs(server, bob));
  const { id = '' } = points.get(`${site.name} ${point}`) ?? {};
  const line = { ...lineOf(kind, 'pass', id), ...(kind === 'fire_alarm_test' && { locationTested: point }) };
  await api.checks.record.mutate(
    visitOf(kind, {
      buildingId: site.id,
      now: clock.now().toISOString(),
      operativeName: 'Bob Reid',
      entries: [line],
    }),
  );
}

async function openDashboard(options = PHONE): Promise<Page> {
  const page = await setting.open(aisha, '/account', options);
  await countTaps(page);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Due now' }).waitFor();
  return page;
}

const due = (page: Page) => page.getByRole('region', { name: 'Due now' });
const fireCard = (page: Page) => due(page).getByRole('link', { name: /^Fire alarm test/ });
/** The row of a site. */
const fireRow = (page: Page, name: string) =>
  due(page).getByRole('link', { name: new RegExp(`^Fire alarm test: ${name}`) });
const site = (page: Page) => page.getByRole('button', { name: /^Site: / });
const place = (page: Page) => page.getByRole('button', { name: /^Test location: / });
const recordButton = (page: Page) => page.getByRole('button', { name: /^Record test/ });
const siteIs = (page: Page, name: string) =>
  page.getByRole('button', { name: `Site: ${name}`, exact: true }).waitFor();
const pointIs = (page: Page, name: string) =>
  page.getByRole('button', { name: `Test location: ${name}`, exact: true }).waitFor();
const label = (control: Locator) => control.getAttribute('aria-label');

async function chooseBySearch(page: Page, list: string, words: string): Promise<void> {
  await page.getByLabel(list).fill(words);
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
}

async function visitsOf({ id }: TestPerson) {
  const { db } = setting.server.services;
  const visits = await db.select().from(operativeVisits);
  return visits.filter(({ recordedBy }) => recordedBy === id).map(({ buildingId }) => buildingId);
}

async function passAndRecord(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pass', exact: true }).tap();
  await recordButton(page).tap();
  await page.getByText('Log number').waitFor();
}

describe('the weekly fire test', () => {
  test('at the one site that is due takes three taps from the dashboard, and three again', async () => {
    await recordedAt(sites.quay);
    await recordedAt(sites.castle);
    const page = await openDashboard(SMALL_PHONE);
    await fireRow(page, 'Harbour House').getByText('Due', { exact: true }).waitFor();
    await due(page).getByText('1 due by').waitFor();
    await fireCard(page).tap();
    await siteIs(page, 'Harbour House');
    await pointIs(page, 'Basement');
    expect(await recordButton(page).textContent()).toContain('Harbour House');
    await passAndRecord(page);
    expect(await tapsOf(page)).toBe(3);
    expect(await visitsOf(aisha)).toEqual([sites.harbour.id]);

    // No other site is due, so the next call point of the same site follows.
    await page.getByRole('button', { name: 'Record another' }).tap();
    await pointIs(page, 'Front Door');
    await passAndRecord(page);
    expect(await tapsOf(page)).toBe(6);
  });

  test('goes on at the next site that is due, also without a connection', async () => {
    await recordedAt(sites.castle);
    const page = await openDashboard();
    await fireRow(page, 'Harbour House').waitFor();
    await fireRow(page, 'Quay Court').waitFor();
    await page.getByRole('link', { name: /^Operative Tasks/ }).tap();
    await page.getByRole('link', { name: /^Fire alarm test.*Due: Harbour House and 1 more/ }).tap();
    // With several due sites none is preselected; they come first in the list and are marked.
    await siteIs(page, 'Select a site');
    await site(page).tap();
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await options.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      'Harbour House, Due, Due',
      'Quay Court, Due, Due',
      'Castle House, Other sites',
    ]);
    await chooseBySearch(page, 'Search sites...', 'Harbour');
    await place(page).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Pass', exact: true }).tap();
    await recordButton(page).tap();
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    const before = await tapsOf(page);
    await page.getByRole('button', { name: 'Next: Quay Court' }).tap();
    await siteIs(page, 'Quay Court');
    await page.getByRole('button', { name: 'Pass', exact: true }).tap();
    await recordButton(page).tap();
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    expect((await tapsOf(page)) - before).toBe(3);
    // A record waiting on this phone counts as done, and the other call point is next.
    await page.getByRole('button', { name: 'Record another' }).tap();
    await pointIs(page, 'Front Door');
    await page.getByRole('link', { name: 'Back to Tasks' }).tap();
    await page.getByRole('link', { name: /^Fire alarm test.*All done this week/ }).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => visitsOf(aisha)).toEqual([sites.harbour.id, sites.quay.id]);
  });
});

describe('what is chosen beforehand', () => {
  test('stays when others do the check meanwhile, and the form says so; nothing moves', async () => {
    await recordedAt(sites.quay);
    await recordedAt(sites.castle);
    const page = await openDashboard(SMALL_PHONE);
    await fireCard(page).tap();
    await pointIs(page, 'Basement');
    await page.getByText(/Due by /).waitFor();
    const pass = page.getByRole('button', { name: 'Pass', exact: true });
    const before = await pass.boundingBox();
    await recordedAt(sites.harbour);
    await page.getByText('Just recorded by Bob Reid').waitFor();
    await page.getByText(formMessages.doneMeanwhile('Bob Reid', 'Harbour House')).waitFor();
    await page.getByRole('button', { name: 'Next in turn: Front Door' }).waitFor();
    expect(await label(site(page))).toBe('Site: Harbour House');
    expect(await label(place(page))).toBe('Test location: Basement');
    expect(await pass.boundingBox()).toEqual(before);
    // The selection is kept in the URL.
    await page.reload();
    await pointIs(page, 'Basement');
    expect(await label(site(page))).toBe('Site: Harbour House');
  });

  test('is no draft until something is entered, and gives way to a draft and to the address', async () => {
    await recordedAt(sites.quay);
    await recordedAt(sites.castle);
    const page = await openDashboard();
    await fireCard(page).tap();
    await pointIs(page, 'Basement');
    await page.reload();
    await pointIs(page, 'Basement');
    expect(await page.getByText(/^Your draft from/).count()).toBe(0);
    // The URL takes precedence over due sites.
    await page.goto(`/operative-tasks/fire-alarm?site=${sites.quay.id}`);
    await pointIs(page, 'Front Door');
    expect(await label(site(page))).toBe('Site: Quay Court');
    await place(page).tap();
    await chooseBySearch(page, 'Search test locations...', 'Basement');
    await page.getByRole('button', { name: 'Pass', exact: true }).tap();
    await page.getByText(/^Draft saved/).waitFor();
    // A draft takes precedence over due sites.
    await page.goto('/operative-tasks/fire-alarm');
    await page.getByText(/^Your draft from/).waitFor();
    expect(await label(site(page))).toBe('Site: Quay Court');
    expect(await label(place(page))).toBe('Test location: Basement');
  });

  test('is the only site and the only call point that a person has', async () => {
    const { services } = setting.server;
    const lodge = await createBuilding(services, { name: 'Lodge' });
    await createAsset(services, { buildingId: lodge.id, name: 'Hall', type: 'call_point' });
    const person = await createPerson(services, { role: 'operative', buildings: [lodge.id] });
    const page = await setting.open(person, '/operative-tasks/fire-alarm', PHONE);
    await siteIs(page, 'Lodge');
    await pointIs(page, 'Hall');
    await place(page).tap();
    await chooseBySearch(page, 'Search test locations...', 'Somewhere');
    expect(await page.getByRole('textbox', { name: 'Test location' }).inputValue()).toBe('');
  });
});

test('the cards say live when others have done the check, and when nothing is left of the week', async () => {
  await recordedAt(sites.quay);
  const page = await openDashboard();
  await fireRow(page, 'Castle House').waitFor();
  await fireRow(page, 'Harbour House').waitFor();
  await page.locator('[data-live=live]').waitFor();
  await recordedAt(sites.castle);
  await expect.poll(() => fireCard(page).count()).toBe(1);
  await fireRow(page, 'Harbour House').waitFor();
  await recordedAt(sites.harbour);
  await page.getByText('All your checks are done').waitFor();
  await page.getByRole('link', { name: /^Operative Tasks/ }).tap();
  await page.getByRole('link', { name: /^Fire alarm test.*All done this week/ }).waitFor();
  await page.getByRole('link', { name: /^Water temperature.*Nothing to check/ }).waitFor();
});

test('the cards say what is due from what the phone keeps, in a week that began without a connection', async () => {
  const page = await openDashboard();
  for (const each of Object.values(sites)) await recordedAt(each);
  await page.getByText('All your checks are done').waitFor();
  await page.getByRole('link', { name: /^Operative Tasks/ }).tap();
  await page.getByRole('link', { name: /^Fire alarm test.*All done this week/ }).waitFor();
  const kept = async () => JSON.stringify(await rowsOnPhone(page, 'copies'));
  await expect.poll(kept).toContain('Castle House');
  await page.context().setOffline(true);
  await page.clock.setSystemTime(clock.now().getTime() + 7 * 86_400_000);
  await page.getByRole('link', { name: 'Back', exact: true }).tap();
  for (const { name } of Object.values(sites)) await fireRow(page, name).waitFor();
});

test('the heading of a form says that it is live, or offline, and what waits; Pass and Fail are in sight with six points and a draft', async () => {
  const { services } = setting.server;
  for (const name of ['Lobby', 'Stairs', 'Kitchen', 'Plant room'])
    await createAsset(services, { buildingId: sites.harbour.id, name, type: 'call_point' });
  const page = await setting.open(aisha, `/operative-tasks/fire-alarm?site=${sites.harbour.id}`, SMALL_PHONE);
  const heading = page.locator('main').getByText('Live', { exact: true });
  await heading.waitFor();
  // A draft that begins before the point is chosen is restored without one.
  await page.getByRole('button', { name: /^Test location: (?!Select)/ }).waitFor();
  await page.getByLabel('Notes').fill('The bell in the yard is quiet');
  await page.getByText(/^Draft saved/).waitFor();
  await page.reload();
  await page.getByText(/^Your draft from/).waitFor();
  await heading.waitFor();
  const foot = await page.getByRole('button', { name: /^Record test/ }).boundingBox();
  for (const name of ['Pass', 'Fail']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    if (box === null || foot === null) throw new Error('not drawn');
    expect(box.y + box.height).toBeLessThan(foot.y - 12);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    SMALL_PHONE.viewport.width,
  );
  await page.context().setOffline(true);
  await page.locator('main').getByText('Offline', { exact: true }).waitFor();
  // Wait for the notice: it pushes the content down, and the taps must hit the new position.
  await page.getByText('No signal', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Pass', exact: true }).tap();
  await recordButton(page).tap();
  await page.locator('main').getByText('1 to send', { exact: true }).waitFor();
});
