import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '#shared/dates.ts';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { ageDrafts } from '#tests/support/browser/kept-on-phone.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { choose, chooseSite, record, recordAnyway, temperature } from '#tests/support/screens/check-form.ts';
import { type ChecksSite, createChecksSite } from '#tests/support/screens/checks-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

// A request may ask for other things, too.
const CHECKS = /trpc\/[^?]*checks\./;

const setting = setUpWebSetting({ clock });
let here: ChecksSite;

beforeAll(async () => {
  here = await createChecksSite(setting);
});

async function addPhoto(page: Page, row: string): Promise<void> {
  await page
    .getByLabel(`Choose photos of ${row}`)
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
  await page.getByRole('button', { name: /not sent yet/ }).waitFor();
}

describe('a form on a device that has fetched nothing', () => {
  test('says that it could not be loaded, where the server fails, and goes on when it answers', async () => {
    const page = await setting.open(await here.aisha(), '/account', PHONE);
    await page.context().route(CHECKS, (route) => route.fulfill({ status: 500, body: 'down' }));
    await page.goto('/operative-tasks/outlet-flushing');
    await page.getByRole('main').getByText(outletFlushingMessages.loadFailed, { exact: true }).waitFor();
    await page.context().unroute(CHECKS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await chooseSite(page, 'Harbour House');
    await page.getByText(outletFlushingMessages.loadFailed, { exact: true }).waitFor({ state: 'hidden' });
  });
});

test('a name that was taken out of one form is not missing in the next', async () => {
  const page = await here.openForm('fire-alarm', here.harbour);
  await page.getByLabel('Operative').fill('Agency Sam');
  await page.getByLabel('Operative').fill('');
  expect(await page.getByLabel('Operative').inputValue()).toBe('');
  await page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ }).waitFor();
  await page.getByRole('link', { name: 'Back to Tasks' }).click();
  await page.getByRole('heading', { name: 'Operative Tasks' }).waitFor();
  // The links move while the due checks are loading: a click in that moment would hit another link.
  await page.waitForFunction(() => document.querySelector('.shimmer') === null);
  await page.getByRole('link', { name: /BS 5266/ }).click();
  await page.getByRole('heading', { name: /Emergency lighting/ }).waitFor();
  expect(await page.getByLabel('Operative').inputValue()).toBe('Aisha Khan');
});

describe('the fire alarm form', () => {
  test('takes any place where a site has no points, without a connection too, and keeps it', async () => {
    const page = await here.openForm('fire-alarm', here.quay);
    await page.getByLabel('Test location').fill('Loading bay');
    await page.getByLabel('Save as a test point of this site').check();
    await page.getByRole('button', { name: 'Pass' }).click();
    await page.context().setOffline(true);
    await record(page);
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Test point added successfully').waitFor();
    await page.getByText('Log number').waitFor();
    await page.getByRole('button', { name: 'Record another' }).click();
    await choose(page, 'Test location', 'Loading bay');
    await page.getByText(/^This point was tested last time/).waitFor({ state: 'hidden' });
  });
});

describe('the water temperature form', () => {
  test('asks about an old draft from when its readings are', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await ageDrafts(page, 2 * 86_400_000);
    await page.reload();
    await page.getByText(/When did you take these readings\?$/).waitFor();
    await record(page);
    await page.getByText('Please say when you took these readings.').waitFor();
    await page.getByRole('button', { name: /^On / }).click();
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe(addDays(dayOf(clock.now()), -2));
  });

  test('changes the site at once, and Undo leads back to what was entered', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await chooseSite(page, 'Quay Court');
    await page.getByText('No outlets at this site.').waitFor();
    await page.getByText('Site changed to Quay Court').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
  });

  test('gives back what Start again took, with its photo, beside what was entered since', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await addPhoto(page, 'Kitchen tap');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('');
    await temperature(page, 'Basin').fill('55.5');
    // A draft begun now is not reported as a restored one.
    expect(await page.getByText(/^Your draft from/).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
    expect(await temperature(page, 'Basin').inputValue()).toBe('55.5');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.reload();
    await page
      .getByRole('listitem', { name: 'Kitchen tap' })
      .getByRole('button', { name: /not sent yet/ })
      .waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
    expect(await temperature(page, 'Basin').inputValue()).toBe('55.5');
  });

  test('gives back an old draft that was discarded', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await ageDrafts(page, 2 * 86_400_000);
    await page.reload();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/When did you take these readings\?$/).waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
  });

  test('counts the photos of a record on its receipt until each is received', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    let letThrough: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.context().route('**/files/photos/**', async (route) => {
      if (route.request().method() !== 'GET') await held;
      await route.continue();
    });
    await temperature(page, 'Kitchen tap').fill('14.2');
    await addPhoto(page, 'Kitchen tap');
    await recordAnyway(page);
    await page.getByText('Log number').waitFor();
    await page.getByRole('heading', { name: 'Record received, photos to follow' }).waitFor();
    await page.getByText('0 of 1 photo received').waitFor();
    expect(await page.getByRole('heading', { name: /^Received/ }).count()).toBe(0);
    letThrough?.();
    await page.getByRole('heading', { name: /^Received \d\d:\d\d$/ }).waitFor();
    await page.getByText('1 photo received').waitFor();
  });

  test('says so where the phone is full, and loses nothing', async () => {
    const page = await setting.open(await here.aisha(), '/', PHONE);
    // Headless browsers ignore `Storage.overrideQuotaForOrigin`, so a full disk is simulated by its exception.
    await page.addInitScript(() => {
      for (const name of ['add', 'put'] as const) {
        const real = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function (...args) {
          if (Reflect.get(window, 'isFull') === true) throw new DOMException('No room', 'QuotaExceededError');
          return real.apply(this, args);
        };
      }
    });
    const full = (isFull: boolean) =>
      page.evaluate((value) => void Object.assign(window, { isFull: value }), isFull);
    await page.goto(`/operative-tasks/water-temperature?site=${here.harbour.id}`);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await full(true);
    await temperature(page, 'Basin').fill('55.5');
    await page.getByText("This phone can't save the draft.", { exact: false }).waitFor();
    await page
      .getByLabel('Choose photos of Basin')
      .setInputFiles({ name: 'basin.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    const basin = page.getByRole('listitem', { name: 'Basin' });
    await basin.getByText(photoMessages.draftFailed).waitFor();
    await record(page);
    await page.getByText('This phone is full.', { exact: false }).waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
    expect(await temperature(page, 'Basin').inputValue()).toBe('55.5');
    await basin.getByRole('button', { name: /not sent yet/ }).waitFor();
    await full(false);
    await page.getByRole('button', { name: 'Record 2 of 2 outlets' }).click();
    await page.getByText('Log number').waitFor();
  });

  test('counts the minutes that the water runs, with the screen on, and buzzes at the end', async () => {
    const page = await setting.open(await here.aisha(), '/operative-tasks', PHONE);
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const sentinel = () =>
        Object.assign(new EventTarget(), {
          released: false,
          release: () => Promise.resolve(void seen.push('released')),
        });
      Object.defineProperty(navigator, 'wakeLock', {
        value: {
          request(kind: string) {
            seen.push(kind);
            return Promise.resolve(sentinel());
          },
        },
      });
      Object.defineProperty(navigator, 'vibrate', { value: () => seen.push('buzz') > 0 });
      // Moves the phone's clock forward without affecting anything else.
      const now = Date.now.bind(Date);
      let ahead = 0;
      Date.now = () => now() + ahead;
      Object.assign(window, {
        putForward(ms: number) {
          ahead = ms;
        },
      });
    });
    await page.goto(`/operative-tasks/water-temperature?site=${here.harbour.id}`);
    // A cold outlet runs for two minutes; the first in the list is hot.
    await temperature(page, 'Kitchen tap').focus();
    const start = page.getByRole('button', { name: 'Start the 2-minute timer' });
    await start.click();
    const seen = () => page.evaluate(() => Reflect.get(window, 'seen') as string[]);
    const putForward = (ms: number) => page.evaluate((by) => Reflect.get(window, 'putForward')(by), ms);
    await expect.poll(seen).toEqual(['screen']);
    await putForward(60_000);
    await page.getByText(/^(1:00|0:5\d)$/).waitFor();
    expect(await seen()).toEqual(['screen']);
    await putForward(121_000);
    await start.waitFor();
    await expect.poll(async () => (await seen()).sort()).toEqual(['buzz', 'released', 'screen']);
  });

  test('selects a row by its box or by a reading, and says each sentence at its outlet', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
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
});

test('a check that is not switched on has no form', async () => {
  const page = await setting.open(await here.aisha(), '/operative-tasks/call-point-visual', PHONE);
  await page.getByRole('heading', { name: '404' }).waitFor();
});

describe('the cards', () => {
  test('are faded for a person who may look but not record, which no role does today', async () => {
    const theirs = await setting.open(await here.aisha(), '/', PHONE);
    await theirs.context().route('**/trpc/session.me*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('"create_operative_tasks",', ''),
      });
    });
    await theirs.goto('/operative-tasks');
    await theirs
      .getByText(
        'You have view-only access to operative tasks. Contact your administrator to request permission to create operative task entries.',
      )
      .waitFor();
    await theirs.getByText('BS 5839', { exact: false }).waitFor();
    expect(
      await theirs
        .getByRole('main')
        .getByRole('link', { name: /BS 5839/ })
        .count(),
    ).toBe(0);
    await theirs.goto('/operative-tasks/fire-alarm');
    await theirs.waitForURL('**/dashboard');
    await theirs.getByText("You don't have permission to access this feature.").waitFor();
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
      buildings: [here.harbour.id, here.quay.id, lodge.id],
    });
    const page = await here.openForm('emergency-lighting', undefined, person);
    await page.getByLabel('Operative').fill('');
    await page.getByLabel('Date').fill('');
    await record(page);
    await page.getByText('Please select a site.').waitFor();
    await page.getByText('Please select a date for the test.').waitFor();
    await page.getByText('Please enter the operative name.').waitFor();
    await chooseSite(page, 'Quay Court');
    await page.getByText('There are no emergency lights to test at this location.').waitFor();
  });
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
