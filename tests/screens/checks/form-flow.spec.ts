import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { formatWeekdayTime } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { doubleTap } from '#tests/support/browser/double-tap.ts';
import { isDrafted } from '#tests/support/browser/kept-on-phone.ts';
import { SMALL_PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';

// A round with many rows: the effort of recording it, and what the record states about the way it was filled in.

const OUTLETS = Array.from({ length: 12 }, (_, n) => `Outlet ${String(n + 1).padStart(2, '0')}`);
const LIGHTS = ['Bulkhead', 'Exit sign', 'Stair light'];

const setting = setUpWebSetting();
let building: TestBuilding;

beforeAll(async () => {
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
// By key: a tap so soon after the one that it reverts would count as the second half of a double tap.
const undo = (page: Page) => button(page, 'Undo').press('Enter');
const fillOthers = (page: Page) => button(page, 'All others flushed').press('Enter');
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
  test('leaves alone what was given by hand, is changed row by row, and is taken back', async () => {
    const { page, recordedBy } = await openForm('outlet-flushing');
    await row(page, 'Outlet 01').getByRole('button', { name: 'Could not flush' }).click();
    await page.getByLabel('Why it could not be flushed').fill('Room locked');
    // A row with notes only is not filled by "All others flushed".
    await row(page, 'Outlet 02').getByRole('button', { name: 'Add notes' }).click();
    await row(page, 'Outlet 02').getByRole('textbox').fill('No handle');
    await fillOthers(page);
    await page.getByText('12 of 12 done').waitFor();
    expect(await pressed(page, 'Outlet 01')).toEqual(['Could not flush']);
    expect(await pressed(page, 'Outlet 02')).toEqual([]);
    expect(await pressed(page, 'Outlet 12')).toEqual(['Flushed']);
    await undo(page);
    await page.getByText('2 of 12 done', { exact: true }).waitFor();
    expect(await pressed(page, 'Outlet 01')).toEqual(['Could not flush']);
    expect(await pressed(page, 'Outlet 12')).toEqual([]);

    await fillOthers(page);
    await row(page, 'Outlet 03').getByRole('button', { name: 'Could not flush' }).click();
    await row(page, 'Outlet 03').getByLabel('Why it could not be flushed').fill('Seized');
    await expect.poll(() => isDrafted(page, 'Seized')).toBe(true);
    await page.reload();
    // After a reload, the form still knows the rows filled by the button, and keeps exceptions.
    await undo(page);
    await page.getByText('3 of 12 done', { exact: true }).waitFor();
    await fillOthers(page);
    await page.getByRole('button', { name: /^Record 12 of 12/ }).click();
    await page.getByText('Log number').waitFor();
    const visit = await recordOf(recordedBy);
    expect(visit.results).toEqual(['fail', 'fail', 'fail', ...OUTLETS.slice(3).map(() => 'pass')]);
    expect([visit.filledAtOnce, visit.filledOf]).toEqual([9, 12]);
  });

  test('is not taken back by a double tap', async () => {
    const { page } = await openForm('outlet-flushing');
    await doubleTap(page, button(page, 'All flushed'));
    await page.getByText('12 of 12 done').waitFor();
    expect(await pressed(page, 'Outlet 12')).toEqual(['Flushed']);
  });

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

test('how long a form was open is the time it was in sight, also over a reload', async () => {
  const { page, recordedBy } = await openForm('outlet-flushing');
  const sight = (state: 'visible' | 'hidden') =>
    page.evaluate((to) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => to });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  // Moves the page's monotonic clock forward.
  const pass = (ms: number) =>
    page.evaluate((by) => {
      const real = performance.now.bind(performance);
      performance.now = () => real() + by;
    }, ms);
  await pass(60_000);
  await button(page, 'All flushed').click();
  await page.getByText(/^Draft saved on this phone/).waitFor();
  await sight('hidden');
  await pass(3_600_000);
  await sight('visible');
  await pass(30_000);
  await sight('hidden');
  await page.getByText(/^Draft saved on this phone/).waitFor();
  await page.reload();
  await page.getByText('12 of 12 done').waitFor();
  await pass(10_000);
  await page.getByRole('button', { name: /^Record 12 of 12/ }).click();
  await page.getByText('Log number').waitFor();
  const { openSeconds } = await recordOf(recordedBy);
  // Plus the seconds that this test took.
  expect(openSeconds).toBeGreaterThanOrEqual(100);
  expect(openSeconds).toBeLessThan(3_600);
});

test('"All passed" leaves the minutes of an annual test, and what is wrong, to each light', async () => {
  const { page, recordedBy } = await openForm('emergency-lighting');
  await page.getByText('Annual duration').click();
  await button(page, 'All passed').click();
  await row(page, 'Bulkhead').getByRole('button', { name: 'Not tested' }).click();
  await page.getByLabel('Supply restored, charge indicators on').check();
  await page.getByRole('button', { name: 'Record 3 of 3 fittings' }).click();
  await page.getByText(formMessages.reasonNotTested).waitFor();
  expect(await page.getByText(emergencyLightingMessages.minutesInvalid).count()).toBe(2);
  await row(page, 'Bulkhead').getByLabel('Why it was not tested').fill('Behind a locked door');
  for (const name of LIGHTS.slice(1)) await page.getByLabel(`Minutes it stayed lit of ${name}`).fill('180');
  await page.getByRole('button', { name: 'Record 3 of 3 fittings' }).click();
  await page.getByText('Log number').waitFor();
  const visit = await recordOf(recordedBy);
  expect(visit.results).toEqual(['not_tested', 'pass', 'pass']);
  expect([visit.filledAtOnce, visit.filledOf]).toEqual([2, 3]);

  const manager = await createPerson(setting.server.services, { role: 'manager', buildings: [building.id] });
  const desk = await setting.open(manager, '/logbook/emergency-lighting?view=records');
  await desk.getByRole('link', { name: 'Exit sign' }).first().click();
  await desk
    .getByRole('dialog')
    .getByText(/^2 of 3 marked passed at once; form open /)
    .waitFor();
  // Each step of the thread shows its weekday.
  const story = desk.getByRole('dialog').getByRole('list', { name: 'What followed' });
  await story.getByText(formatWeekdayTime(visit.performedAt)).waitFor();
});

describe('a hand-in that leaves rows without a result', () => {
  test('is not recorded by a double tap', async () => {
    const { page } = await openForm('outlet-flushing');
    await row(page, 'Outlet 01').getByRole('button', { name: 'Flushed' }).click();
    await doubleTap(page, handIn(page, 'Record 1 of 12 outlets'));
    const question = page.getByRole('dialog', { name: formMessages.missing(11, 'outlets') });
    await question.getByRole('button', { name: 'Go back' }).press('Enter');
    await page.getByText('1 of 12 done').waitFor();
    expect(await handIn(page, 'Record 1 of 12 outlets').isEnabled()).toBe(true);
  });

  test('is refused first for what is wrong with it', async () => {
    const { page } = await openForm('outlet-flushing');
    await row(page, 'Outlet 05').getByRole('button', { name: 'Could not flush' }).click();
    await handIn(page, 'Record 1 of 12 outlets').click();
    await page.getByText(outletFlushingMessages.reasonNotFlushed).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

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

describe('what waited, sent in one go', () => {
  const shown = (page: Page) => page.locator('#toasts [data-tone]');

  /** Submits this many flushing records without a connection. */
  async function keepOffline(count: number) {
    const { page, recordedBy } = await openForm('outlet-flushing');
    await page.context().setOffline(true);
    await page.getByText('No signal', { exact: false }).first().waitFor();
    for (let n = 0; n < count; n += 1) {
      await button(page, 'All flushed').click();
      await handIn(page, 'Record 12 of 12 outlets').click();
      await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
      if (n < count - 1) await button(page, 'Record another').press('Enter');
    }
    return { page, recordedBy };
  }

  test('is told in one toast, with a way to the list; nothing is said of each', async () => {
    const { page } = await keepOffline(8);
    // Collects every toast from now on, however briefly shown.
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            if (node instanceof HTMLElement)
              for (const card of node.querySelectorAll('[data-tone]')) said.push(card.textContent ?? '');
      }).observe(document.body, { subtree: true, childList: true });
    });
    await page.context().setOffline(false);
    await shown(page).getByText(offlineMessages.sent(8), { exact: true }).waitFor();
    await page.getByText('Log number').waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'said'))).toHaveLength(1);
    await shown(page).getByRole('button', { name: offlineMessages.open }).click();
    await page.getByRole('heading', { name: offlineMessages.title }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sync');
    expect(
      await page
        .getByRole('main')
        .getByText(/\d [KM]?B\b/)
        .count(),
    ).toBe(0);
  });

  test('says apart what is held for a decision', async () => {
    const { page, recordedBy } = await keepOffline(3);
    const { db } = setting.server.services;
    await db.delete(userLocationAccess).where(eq(userLocationAccess.userId, recordedBy));
    await page.context().setOffline(false);
    await shown(page).getByText(offlineMessages.held(3), { exact: true }).waitFor();
    expect(await shown(page).getByText(/sent/).count()).toBe(0);
  });

  test('is one line of its kind over the receipt, which tells the rest', async () => {
    const { page } = await keepOffline(1);
    await page.context().setOffline(false);
    await shown(page).filter({ hasText: outletFlushingMessages.saved }).waitFor();
    expect(await shown(page).allTextContents()).toEqual([outletFlushingMessages.saved]);
  });

  test('keeps the sentence of its kind where it is one, and names site, day, and when the next is due', async () => {
    const { page } = await keepOffline(1);
    await page.getByRole('link', { name: 'Done', exact: true }).click();
    await page.waitForURL('**/operative-tasks');
    await page.context().setOffline(false);
    const told = shown(page).getByText(outletFlushingMessages.saved);
    await told.waitFor();
    expect(await told.textContent()).toMatch(
      / .+ · \w{3} \d{2}, \d{4}\. (Next due by|Overdue since) \w{3} \d{2}, \d{4}\.$/,
    );
  });
});

test('a round that is partly done shows first what is missing, and asks for that alone', async () => {
  const { services } = setting.server;
  const site = await createBuilding(services, { name: 'Mill Court' });
  const outlets: string[] = [];
  for (const name of ['Basin', 'Kitchen', 'Shower'])
    outlets.push((await createAsset(services, { buildingId: site.id, name, type: 'water_outlet' })).id);
  const person = await createPerson(services, { role: 'operative', buildings: [site.id] });
  const page = await setting.open(person, `/operative-tasks/outlet-flushing?site=${site.id}`, SMALL_PHONE);
  const names = () => page.locator('[data-row]').evaluateAll((all) => all.map((one) => one.ariaLabel));
  await expect.poll(names).toEqual(['Basin', 'Kitchen', 'Shower']);
  const colleague = await createPerson(services, { role: 'operative', buildings: [site.id] });
  const other = createTestClient(setting.server.url, await signInAs(setting.server, colleague));
  const flushed = (at: number) => lineOf('outlet_flushing', 'pass', outlets[at] ?? '');
  const record = (...at: number[]) =>
    other.checks.record.mutate(
      visitOf('outlet_flushing', {
        buildingId: site.id,
        now: services.clock.now().toISOString(),
        entries: at.map(flushed),
      }),
    );
  await record(0, 2);
  // Records of others in the meantime do not move rows under the thumb; the line beside the site shows the progress.
  await page.getByText('2 of 3 outlets').waitFor();
  expect(await names()).toEqual(['Basin', 'Kitchen', 'Shower']);
  await page.reload();
  await expect.poll(names).toEqual(['Kitchen', 'Basin', 'Shower']);
  await page.getByText('Done already this week').waitFor();
  await handIn(page, 'Record 0 of 1 outlet').waitFor();
  await page.getByRole('button', { name: 'All flushed' }).press('Enter');
  await handIn(page, 'Record 1 of 1 outlet').click();
  await page.getByText(outletFlushingMessages.saved).first().waitFor();
  expect((await recordOf(person.id)).results).toEqual(['pass']);
  await page.goto('/operative-tasks');
  await page.getByText(formMessages.allDone('week')).first().waitFor();
});
