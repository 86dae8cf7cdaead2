import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '#tests/support/checks.ts';
import { DOUBLE_TAP_MS, doubleTap, toTheMiddle } from '#tests/support/double-tap.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/factories.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

let setting: WebSetting;
let building: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting();
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  const at = { buildingId: building.id };
  for (const name of ['Front Door', 'Basement'])
    await createAsset(services, { ...at, name, type: 'call_point' });
  for (const name of ['Exit sign', 'Bulkhead'])
    await createAsset(services, { ...at, name, type: 'emergency_light' });
  for (const name of ['Basin', 'Kitchen tap'])
    await createAsset(services, { ...at, name, type: 'water_outlet', outletKind: 'cold' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function openForm(slug: string): Promise<Page> {
  const { services } = setting.server;
  const person = await createPerson(services, { role: 'operative', buildings: [building.id] });
  const page = await setting.open(person, `/operative-tasks/${slug}?site=${building.id}`, PHONE);
  await page.getByRole('button', { name: /^Site: Harbour House/ }).waitFor();
  // A form that has just opened does not listen to a thumb yet.
  await page.getByRole('button', { name: /^Site: Harbour House/ }).click({ trial: true });
  return page;
}

const button = (on: Page | Locator, name: string) => on.getByRole('button', { name, exact: true });
const pressed = (page: Page) =>
  page.locator('[aria-pressed=true]').evaluateAll((all) => all.map((one) => one.textContent));

describe.each(DOUBLE_TAP_MS)('a double tap, %i ms apart,', (betweenMs) => {
  test('on Fail of the fire form is Fail, and nothing above the thumb moves', async () => {
    const page = await openForm('fire-alarm');
    const fail = button(page, 'Fail');
    await toTheMiddle(fail);
    const before = await fail.boundingBox();
    await doubleTap(page, fail, betweenMs);
    await page.getByText('Saving this will raise a building issue.').waitFor();
    expect(await pressed(page)).toEqual(['Fail']);
    expect(await fail.boundingBox()).toEqual(before);
  });

  test('on the site opens its list and chooses nothing in it', async () => {
    const page = await openForm('fire-alarm');
    await doubleTap(page, page.getByRole('button', { name: /^Site: / }), betweenMs);
    await page.getByRole('option', { name: 'Harbour House' }).waitFor();
    expect(await page.getByRole('option', { name: 'Harbour House' }).getAttribute('aria-selected')).toBe(
      'true',
    );
  });

  test('on the suggested call point chooses it, and no result', async () => {
    const page = await openForm('fire-alarm');
    await doubleTap(page, page.getByRole('button', { name: /^Next in turn/ }), betweenMs);
    await page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ }).waitFor();
    expect(await pressed(page)).toEqual([]);
  });

  test.each([
    ['emergency-lighting', 'Result of Exit sign', 'Pass'],
    ['outlet-flushing', 'Flushing of Basin', 'Flushed'],
  ])(
    'on an outcome of the %s form keeps it; taking it back has a button of its own',
    async (slug, name, word) => {
      const page = await openForm(slug);
      // What is missing is told above the rows, and goes with the first outcome.
      await page.getByRole('button', { name: /^Record/ }).click();
      const outcome = button(page.getByRole('group', { name }), word);
      await page.getByRole('alert').first().waitFor();
      await toTheMiddle(outcome);
      const before = await outcome.boundingBox();
      await doubleTap(page, outcome, betweenMs);
      await page.getByText(/^1 of 2 /).waitFor();
      expect(await pressed(page)).toEqual([word]);
      expect(await outcome.boundingBox()).toEqual(before);
      await page.getByRole('button', { name: /^Clear / }).click();
      await page.getByText(/^0 of 2 /).waitFor();
      expect(await pressed(page)).toEqual([]);
    },
  );

  test('on Record leads to the receipt and not past it, and on Record another to an untouched form', async () => {
    const page = await openForm('fire-alarm');
    await page.getByRole('button', { name: /^Next in turn/ }).click();
    await button(page, 'Pass').click();
    await doubleTap(page, button(page, 'Record test'), betweenMs);
    await page.getByText('Log number').waitFor();
    expect(new URL(page.url()).searchParams.get('done')).not.toBeNull();
    const another = button(page, 'Record another');
    // Once the receipt listens.
    await another.click({ trial: true });
    await doubleTap(page, another, betweenMs);
    await page.getByRole('button', { name: /^Next in turn/ }).click();
    await page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ }).waitFor();
    expect(await page.getByText('Missing information').count()).toBe(0);
  });
});
