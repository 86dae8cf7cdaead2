import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '#shared/dates.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { recordAnyway } from '#tests/support/screens/check-form.ts';
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

async function addPhoto(page: Page, row: string): Promise<void> {
  await page
    .getByLabel(`Choose photos of ${row}`)
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
  await page.getByRole('button', { name: /not sent yet/ }).waitFor();
}

describe('a form on a device that has fetched nothing', () => {
  const UNLOADED = [
    ['fire-alarm', 'Failed to load fire alarm test records'],
    ['emergency-lighting', 'There was an error loading the emergency lights.'],
    ['water-temperature', 'Failed to load water outlets. Please try again.'],
    ['outlet-flushing', 'Failed to load water outlets'],
  ] as const;
  test.each(UNLOADED)(
    'says of %s that it could not be loaded, where the server fails',
    async (slug, sentence) => {
      const page = await setting.open(await aisha(), '/account', PHONE);
      await page
        .context()
        .route('**/trpc/checks.**', (route) => route.fulfill({ status: 500, body: 'down' }));
      await page.goto(`/operative-tasks/${slug}`);
      await page.getByRole('main').getByText(sentence, { exact: true }).waitFor();
      await page.context().unroute('**/trpc/checks.**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await chooseSite(page, 'Harbour House');
      await page.getByText(sentence, { exact: true }).waitFor({ state: 'hidden' });
    },
  );
});

test('a name that was taken out of one form is not missing in the next', async () => {
  const page = await openForm('fire-alarm', harbour);
  await page.getByLabel('Operative').fill('Agency Sam');
  await page.getByLabel('Operative').fill('');
  expect(await page.getByLabel('Operative').inputValue()).toBe('');
  await page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ }).waitFor();
  await page.getByRole('link', { name: 'Back to Tasks' }).click();
  await page.getByRole('heading', { name: 'Operative Tasks' }).waitFor();
  // The links move while what is due is loading: a click in that moment would meet another one.
  await page.waitForFunction(() => document.querySelector('.shimmer') === null);
  await page.getByRole('link', { name: /BS 5266/ }).click();
  await page.getByRole('heading', { name: /Emergency lighting/ }).waitFor();
  expect(await page.getByLabel('Operative').inputValue()).toBe('Aisha Khan');
});

describe('the fire alarm form', () => {
  test('takes any place where a site has no points, without a connection too, and keeps it', async () => {
    const page = await openForm('fire-alarm', quay);
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
    await page.getByRole('button', { name: /^Test location: / }).click();
    await page.getByRole('option', { name: 'Loading bay' }).click();
    await page.getByText(/^This point was tested last time/).waitFor({ state: 'hidden' });
  });
});

describe('the water temperature form', () => {
  test('asks about an old draft from when its readings are', async () => {
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.clock.setSystemTime(clock.now().getTime() + 2 * 86_400_000);
    await page.reload();
    await page.getByText(/When did you take these readings\?$/).waitFor();
    await record(page);
    await page.getByText('Please say when you took these readings.').waitFor();
    await page.getByRole('button', { name: /^On / }).click();
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe(dayOf(clock.now()));
  });

  test('changes the site at once, and Undo leads back to what was entered', async () => {
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await chooseSite(page, 'Quay Court');
    await page.getByText('No outlets at this site.').waitFor();
    await page.getByText('Site changed to Quay Court').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
  });

  test('gives back what Start again took, with its photo, beside what was entered since', async () => {
    const page = await openForm('water-temperature', harbour);
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
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.clock.setSystemTime(clock.now().getTime() + 2 * 86_400_000);
    await page.reload();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => temperature(page, 'Kitchen tap').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/When did you take these readings\?$/).waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('14.2');
  });

  test('counts the photos of a record on its receipt until each is received', async () => {
    const page = await openForm('water-temperature', harbour);
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
    const page = await setting.open(await aisha(), '/', PHONE);
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
    await page.goto(`/operative-tasks/water-temperature?site=${harbour.id}`);
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
    const page = await setting.open(await aisha(), '/operative-tasks', PHONE);
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
    await page.goto(`/operative-tasks/water-temperature?site=${harbour.id}`);
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

  test('refuses a day that has not come', async () => {
    const page = await openForm('water-temperature', harbour);
    await temperature(page, 'Kitchen tap').fill('14.2');
    await page.getByLabel('Date').fill(addDays(dayOf(clock.now()), 3));
    await record(page);
    await page.getByText('The date cannot be in the future.').waitFor();
  });
});

test('a check that is not switched on has no form', async () => {
  const page = await setting.open(await aisha(), '/operative-tasks/call-point-visual', PHONE);
  await page.getByRole('heading', { name: '404' }).waitFor();
});

describe('the cards', () => {
  test('are faded for a person who may look but not record, which no role does today', async () => {
    const theirs = await setting.open(await aisha(), '/', PHONE);
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
