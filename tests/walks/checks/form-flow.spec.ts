import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { SMALL_PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';

// A round with many rows: the effort of recording it, and how the record says it was done.

const OUTLETS = Array.from({ length: 12 }, (_, n) => `Outlet ${String(n + 1).padStart(2, '0')}`);
const LIGHTS = ['Bulkhead', 'Exit sign', 'Stair light'];

let setting: WebSetting;
let building: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting();
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  const at = { buildingId: building.id };
  for (const [n, name] of OUTLETS.entries())
    await createAsset(services, {
      ...at,
      name,
      type: 'water_outlet',
      outletKind: n === OUTLETS.length - 1 ? 'mixed' : 'cold',
    });
  for (const name of LIGHTS) await createAsset(services, { ...at, name, type: 'emergency_light' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function openForm(slug: string): Promise<{ page: Page; recordedBy: string }> {
  const person = await createPerson(setting.server.services, { role: 'operative', buildings: [building.id] });
  const page = await setting.open(person, `/operative-tasks/${slug}?site=${building.id}`, SMALL_PHONE);
  // A form that has just opened ignores taps for a moment.
  await page.getByRole('button', { name: /^Site: Harbour House/ }).click({ trial: true });
  return { page, recordedBy: person.id };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
// The site's name follows the label.
const handIn = (page: Page, label: string) => page.getByRole('button', { name: new RegExp(`^${label}`) });
const row = (page: Page, name: string) => page.getByRole('listitem', { name });
const pressed = (page: Page, name: string) =>
  row(page, name)
    .locator('[aria-pressed=true]')
    .evaluateAll((all) => all.map((one) => one.textContent));

/** Returns a person's only record with the results of its entries, in the order of the form. */
async function recordOf(person: string) {
  const { db } = setting.server.services;
  const [visit, ...more] = await db
    .select()
    .from(operativeVisits)
    .where(eq(operativeVisits.recordedBy, person));
  if (visit === undefined || more.length > 0) throw new Error('not one record');
  const lines = await db
    .select({ result: checkEntries.result })
    .from(checkEntries)
    .where(eq(checkEntries.visitId, visit.id))
    .orderBy(checkEntries.position);
  return { ...visit, results: lines.map(({ result }) => result) };
}

describe('"All flushed"', () => {
  test('records twelve outlets in at most three taps', async () => {
    const { page, recordedBy } = await openForm('outlet-flushing');
    await page.evaluate(() => {
      Object.assign(window, { taps: 0 });
      document.addEventListener('pointerdown', () => {
        Object.assign(window, { taps: Reflect.get(window, 'taps') + 1 });
      });
    });
    await button(page, 'All flushed').tap();
    await handIn(page, 'Record 12 of 12 outlets').tap();
    await page.getByText('Log number').waitFor();
    const taps = await page.evaluate(() => Reflect.get(window, 'taps'));
    expect(taps).toBeGreaterThan(0);
    expect(taps).toBeLessThanOrEqual(3);
    const visit = await recordOf(recordedBy);
    expect(visit.results).toEqual(OUTLETS.map(() => 'pass'));
    expect([visit.filledAtOnce, visit.filledOf]).toEqual([12, 12]);
  });
});

describe('a hand-in that leaves rows without a result', () => {
  test('asks once, goes back to the form, or is recorded', async () => {
    const { page, recordedBy } = await openForm('outlet-flushing');
    await row(page, 'Outlet 05').getByRole('button', { name: 'Flushed' }).click();
    const question = page.getByRole('dialog', { name: formMessages.missing(11, 'outlets') });
    await handIn(page, 'Record 1 of 12 outlets').click();
    await question.getByRole('button', { name: 'Go back' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await pressed(page, 'Outlet 05')).toEqual(['Flushed']);
    await handIn(page, 'Record 1 of 12 outlets').click();
    // By key: a click at this place so soon after the first would count as the second half of a double tap.
    await question.getByRole('button', { name: 'Save anyway' }).press('Enter');
    await page.getByText('Log number').waitFor();
    const { results } = await recordOf(recordedBy);
    expect(results.filter((result) => result === 'not_tested')).toHaveLength(11);
  });
});

test('Enter leads from temperature to temperature, ends with the last one, and hands in nothing', async () => {
  const { page, recordedBy } = await openForm('water-temperature');
  const field = (name: string) => page.getByLabel(`Temperature of ${name}`, { exact: true });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  const hint = (name: string) => field(name).getAttribute('enterkeyhint');
  expect(await hint('Outlet 01')).toBe('next');
  expect(await hint('Outlet 12')).toBe('done');
  await field('Outlet 01').focus();
  for (const name of OUTLETS) {
    expect(await focused()).toBe(`Temperature of ${name}`);
    await page.keyboard.type('14.2');
    await page.keyboard.press('Enter');
  }
  // The last outlet is mixed: its blended temperature is asked for once it has a reading.
  expect(await hint('Outlet 12')).toBe('next');
  const blended = page.getByLabel('Blended temperature of Outlet 12');
  await expect.poll(() => blended.evaluate((node) => node === document.activeElement)).toBe(true);
  expect(await blended.getAttribute('enterkeyhint')).toBe('done');
  await page.keyboard.type('41');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  expect(await page.getByRole('heading', { name: /^Saved|^Received|^Sending/ }).count()).toBe(0);
  expect(await field('Outlet 12').inputValue()).toBe('14.2');
  await handIn(page, 'Record 12 of 12 outlets').click();
  await page.getByText('Log number').waitFor();
  expect((await recordOf(recordedBy)).results).toHaveLength(12);
});
