import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { falseAlarmMessages } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { recordAnyway } from '#tests/support/screens/check-form.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

let setting: WebSetting;
let harbour: TestBuilding;
let quay: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting({ clock });
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House' });
  quay = await createBuilding(services, { name: 'Quay Court', clientId: harbour.clientId });
  const at = { buildingId: harbour.id };
  await createAsset(services, { ...at, name: 'Kitchen tap', type: 'water_outlet', outletKind: 'cold' });
  await createAsset(services, { ...at, name: 'Basin', type: 'water_outlet', outletKind: 'hot' });
  await createAsset(services, { ...at, name: 'Exit sign', type: 'emergency_light' });
  await createAsset(services, { ...at, name: 'Bulkhead', type: 'emergency_light' });
  await createAsset(services, { ...at, name: 'Front Door', type: 'call_point' });
  await createAsset(services, { ...at, name: 'Basement', type: 'call_point' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

function aisha(): Promise<TestPerson> {
  const buildings = [harbour.id, quay.id];
  return createPerson(setting.server.services, {
    role: 'operative',
    buildings,
    firstName: 'Aisha',
    lastName: 'Khan',
  });
}

async function openForm(slug: string, site?: TestBuilding, person?: TestPerson): Promise<Page> {
  const query = site === undefined ? '' : `?site=${site.id}`;
  const page = await setting.open(person ?? (await aisha()), `/operative-tasks/${slug}${query}`, PHONE);
  await page.getByRole('button', { name: /^Site: / }).waitFor();
  return page;
}

async function chooseSite(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Site: / }).click();
  // By key: the list covers the button, so a second click there would count as the echo of the first.
  await page.getByLabel('Search sites...').fill(name);
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
}

const record = (page: Page) => page.getByRole('button', { name: /^Record/ }).click();
const temperature = (page: Page, outlet: string) =>
  page.getByLabel(`Temperature of ${outlet}`, { exact: true });
const group = (page: Page, name: string) => page.getByRole('group', { name });

describe('the fire alarm form', () => {
  test('asks for the result, which nothing chooses beforehand', async () => {
    const page = await openForm('fire-alarm', harbour);
    await page.getByRole('link', { name: 'Back to Tasks' }).waitFor();
    // The location is chosen once the log has told which point was tested last; until then it is missing too.
    await page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ }).waitFor();
    await page.getByRole('button', { name: 'Pass' }).waitFor();
    expect(await page.locator('[aria-pressed=true]').count()).toBe(0);
    expect(await page.getByLabel('Operative').inputValue()).toBe('Aisha Khan');
    expect(await page.getByLabel('Date').inputValue()).toBe(dayOf(clock.now()));
    await record(page);
    await page.getByText('Missing information').waitFor();
    // Once at the result and once in the toast.
    await expect.poll(() => page.getByText('Please fill in all required fields.').count()).toBe(2);
  });

  test('suggests the point whose turn it is, and a failure comes back with its reference', async () => {
    const page = await openForm('fire-alarm', harbour);
    // A point not tested yet in this file comes first; the field shows which one.
    const chosen = page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ });
    await chosen.waitFor();
    const name = (await chosen.getAttribute('aria-label')) ?? '';
    const point = name.replace('Test location: ', '');
    await page.getByRole('button', { name: 'Fail' }).click();
    await record(page);
    await page.getByText('Log number').waitFor();
    await expect
      .poll(() => page.getByText('Fire alarm test record saved successfully.').count())
      .toBeGreaterThan(0);
    await page
      .getByText(/^Issue .+-\d{4} was raised$/)
      .first()
      .waitFor();

    await page.goto('/dashboard');
    await page.getByText('Raised from my checks').waitFor();
    const raised = page.getByRole('listitem').filter({ hasText: new RegExp(`${point}, `) });
    await raised.getByText('Open', { exact: true }).waitFor();

    // A person who may not see issues still sees the state of their own, live.
    await page.locator('[data-live=live]').waitFor();
    const { server } = setting;
    const manager = await createPerson(server.services, { role: 'manager', buildings: [harbour.id] });
    const api = createTestClient(server.url, await signInAs(server, manager));
    const [issue] = await server.services.db.execute<{ id: string }>(
      sql`select id from building_issues where source = 'check' order by created_at desc limit 1`,
    );
    const id = issue?.id ?? '';
    await api.issues.comment.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      issueId: id,
      body: 'Engineer comes at two',
    });
    await raised.getByText('Engineer comes at two').waitFor();
    await api.issues.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { status: { from: 'open', to: 'in_progress' } },
    });
    await raised.getByText('In Progress').waitFor();
  });
});

describe('the emergency lighting form', () => {
  test('says what is missing at its field', async () => {
    const { services } = setting.server;
    // Due at two sites, so none is preselected.
    const lodge = await createBuilding(services, { name: 'Lodge' });
    await createAsset(services, { buildingId: lodge.id, name: 'Exit sign', type: 'emergency_light' });
    const person = await createPerson(services, {
      role: 'operative',
      buildings: [harbour.id, quay.id, lodge.id],
    });
    const page = await openForm('emergency-lighting', undefined, person);
    await page.getByLabel('Operative').fill('');
    await page.getByLabel('Date').fill('');
    await record(page);
    await page.getByText('Please select a site.').waitFor();
    await page.getByText('Please select a date for the test.').waitFor();
    await page.getByText('Please enter the operative name.').waitFor();
    await chooseSite(page, 'Quay Court');
    await page.getByText('There are no emergency lights to test at this location.').waitFor();
  });

  test('takes pass, fail or not tested with its reason for each fitting', async () => {
    const page = await openForm('emergency-lighting', harbour);
    await page.getByText('Annual duration').click();
    await page.getByText('Batteries need up to 24 hours to recharge', { exact: false }).waitFor();
    await group(page, 'Result of Exit sign').getByRole('button', { name: 'Pass' }).click();
    await group(page, 'Result of Bulkhead').getByRole('button', { name: 'Not tested' }).click();
    await record(page);
    await page.getByText('Please say why it was not tested.').waitFor();
    await page.getByText('Minutes must be a whole number from 0 to 600').waitFor();
    await page.getByText('Please restore the supply and check the charge indicators first.').waitFor();
    await page.getByLabel('Why it was not tested').fill('Behind a locked door');
    await page.getByLabel('Minutes it stayed lit of Exit sign').fill('180');
    await page.getByLabel('Supply restored, charge indicators on').check();
    await record(page);
    await expect
      .poll(() => page.getByText('Emergency lighting test records have been saved.').count())
      .toBeGreaterThan(0);
    await page.getByText('Log number').waitFor();
  });
});

describe('the water temperature form', () => {
  test('selects a row by its box or by a reading, and says each sentence at its outlet', async () => {
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').waitFor();
    await record(page);
    await page.getByText('Please select at least one water outlet to test.').waitFor();
    await page.getByLabel('Test Kitchen tap').check();
    await temperature(page, 'Basin').fill('abc');
    await record(page);
    await page.getByText('Please enter a temperature for all selected outlets.').waitFor();
    await page.getByText('Temperature is required').waitFor();
    await page.getByText('Temperature must be a number').waitFor();
    await temperature(page, 'Basin').fill('101');
    await temperature(page, 'Kitchen tap').fill('20,0');
    await page.getByText('At the limit').waitFor();
    await record(page);
    await page.getByText('Temperature should be between 0°C and 100°C').waitFor();
    await temperature(page, 'Basin').fill('44.9');
    await page.getByText('Below 50 °C').waitFor();
    await page.getByRole('button', { name: 'Temperature of Basin: higher' }).click();
    await expect.poll(() => temperature(page, 'Basin').inputValue()).toBe('45.0');
    // Some phone keyboards send no key-up event.
    await temperature(page, 'Kitchen tap').fill('');
    await temperature(page, 'Kitchen tap').focus();
    await page.keyboard.down('9');
    await page.getByText('Satisfactory').waitFor();
  });

  test('keeps what was typed over a reload, and records it with what it raises', async () => {
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').fill('23.4');
    await page.getByText('Above 20 °C').waitFor();
    await page.getByText('20 °C or below is satisfactory').waitFor();
    await page.getByText('Saving this will raise a building issue.').waitFor();
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.reload();
    await page.getByText(/^Your draft from .+ is back\.$/).waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('23.4');
    await recordAnyway(page);
    await expect
      .poll(() => page.getByText('Water temperature checks have been recorded.').count())
      .toBeGreaterThan(0);
    await page
      .getByText(/^Issue .+-\d{4} was raised$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Record another' }).click();
    // The draft has become the record.
    await temperature(page, 'Kitchen tap').waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('');
  });
});

describe('the outlet flushing form', () => {
  test('wants something flushed or a note; without a signal it is kept, and received later', async () => {
    const page = await openForm('outlet-flushing', harbour);
    await group(page, 'Flushing of Basin').waitFor();
    await record(page);
    await page.getByText('Please select at least one outlet to record as flushed.').waitFor();
    await group(page, 'Flushing of Basin').getByRole('button', { name: 'Flushed' }).click();
    await group(page, 'Flushing of Kitchen tap').getByRole('button', { name: 'Could not flush' }).click();
    await record(page);
    await page.getByText('Please say why it could not be flushed.').waitFor();
    await page.getByLabel('Why it could not be flushed').fill('Room locked');
    await page.getByLabel('Minutes flushed of Basin').fill('2.5');

    await page.context().setOffline(true);
    await page.getByText('No signal', { exact: false }).waitFor();
    await record(page);
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    await page.getByText('1 waiting').waitFor();
    expect(await page.getByText('Outlet flushing checks have been recorded.').count()).toBe(0);

    await page.context().setOffline(false);
    await page.getByText('Log number').waitFor();
    await page.getByRole('heading', { name: /^Received \d\d:\d\d$/ }).waitFor();
    await expect
      .poll(() => page.getByText('Outlet flushing checks have been recorded.').count())
      .toBeGreaterThan(0);
  });
});

test('a false alarm is recorded without a signal: what is missing is said, and it is received later', async () => {
  const page = await openForm('false-alarm', harbour);
  await record(page);
  for (const sentence of Object.values(falseAlarmMessages).filter((text) => text.startsWith('Please say'))) {
    await page.getByText(sentence).waitFor();
  }
  await page.getByLabel('Time of the alarm').fill('00:05');
  await group(page, 'Set off by').getByRole('button', { name: 'Call point' }).click();
  await page.getByRole('button', { name: 'Call point: Select a call point' }).click();
  await page.getByRole('option', { name: 'Basement' }).click();
  await page.getByLabel('Cause').fill('Struck by a trolley');
  await page.getByLabel('Action taken').fill('Panel reset');
  await page.context().setOffline(true);
  await page.getByText('No signal', { exact: false }).waitFor();
  await record(page);
  await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('Log number').waitFor();
  await expect.poll(() => page.getByText(falseAlarmMessages.saved).count()).toBeGreaterThan(0);
});

test('closing an issue that no retest has settled asks first, and not after a pass', async () => {
  const { server } = setting;
  const building = await createBuilding(server.services);
  const buildings = [building.id];
  const light = await createAsset(server.services, { buildingId: building.id, type: 'emergency_light' });
  const person = await createPerson(server.services, { role: 'manager', buildings });
  const api = createTestClient(server.url, await signInAs(server, person));
  const test = (result: 'pass' | 'fail') =>
    api.checks.record.mutate(
      visitOf('emergency_lighting_test', {
        buildingId: building.id,
        now: clock.now().toISOString(),
        entries: [lineOf('emergency_lighting_test', result, light.id)],
      }),
    );
  const reference = (await test('fail')).raised[0]?.referenceNumber ?? '';

  const page = await setting.open(person, `/building-issues?building=${building.id}`);
  const close = async () => {
    await page.getByRole('button', { name: `Move ${reference} to…` }).click();
    await page.getByRole('menuitem', { name: 'Closed' }).click();
  };
  await close();
  await page
    .getByText(`The check that raised ${reference} has not passed a retest.`, { exact: false })
    .waitFor();
  await page.getByRole('button', { name: 'Keep it open' }).click();
  await test('pass');
  await close();
  await page
    .getByRole('region', { name: /Closed/ })
    .getByText(reference)
    .waitFor();
});

describe('the cards', () => {
  test('say what each check is recorded against, and lead to its form', async () => {
    const page = await setting.open(await aisha(), '/dashboard', PHONE);
    await page.getByRole('link', { name: /Operative Tasks/ }).click();
    for (const name of [/BS 5839/, /BS 5266/, /Monthly · HSG 274/, /Weekly · HSG 274/]) {
      await page.getByRole('link', { name }).waitFor();
    }
    await page.getByRole('link', { name: /BS 5839/ }).click();
    await page.getByRole('heading', { name: 'Fire alarm test' }).waitFor();
    await page.getByRole('link', { name: 'Back to Tasks' }).click();
    await page.getByRole('heading', { name: 'Operative Tasks' }).waitFor();
  });
});
