import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { sessions, userLocationAccess } from '#db/schema/people.ts';
import { DAY_MS, dayOf, formatTime, HOUR_MS } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { enterAs, openAs, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

// Messages of a phone about records that are not simply "received".

const setting = setUpWebSetting({ clock });
let harbour: TestBuilding;

beforeAll(async () => {
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House' });
  await createAsset(services, {
    buildingId: harbour.id,
    name: 'Basin tap',
    type: 'water_outlet',
    outletKind: 'cold',
  });
});

const aisha = () =>
  createPerson(setting.server.services, { role: 'operative', firstName: 'Aisha', buildings: [harbour.id] });

const FORM = () => `/operative-tasks/outlet-flushing?site=${harbour.id}`;
const tap = (page: Page) => page.getByRole('group', { name: 'Flushing of Basin tap' });

/** Opens a phone that stores the app, so that it starts without a connection, and whose clock can be set wrong. */
async function phoneOf(person: TestPerson): Promise<Page> {
  const { browser, server } = setting;
  const page = await openAs(browser, server, person, { ...PHONE, serviceWorkers: 'allow' });
  await page.addInitScript(() => {
    const Right = Date;
    const off = () => Number(localStorage.getItem('test.clock') ?? 0);
    globalThis.Date = class extends Right {
      constructor(...args: [] | [string | number]) {
        super(...((args.length === 0 ? [Right.now() + off()] : args) as [number]));
      }
      static override now() {
        return Right.now() + off();
      }
    } as DateConstructor;
  });
  await page.goto(FORM());
  await tap(page).waitFor();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return page;
}

const setClock = (page: Page, offMs: number) =>
  page.evaluate((off) => localStorage.setItem('test.clock', String(off)), offMs);

async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.getByText('No signal', { exact: false }).waitFor();
}

async function record(page: Page): Promise<void> {
  await tap(page).getByRole('button', { name: 'Flushed' }).click();
  await page.getByRole('button', { name: /^Record/ }).click();
}

/** Saves a flushing record on a phone without a connection. */
async function savedOffline(person: TestPerson): Promise<Page> {
  const page = await phoneOf(person);
  await goOffline(page);
  await record(page);
  await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
  return page;
}

/** Returns a person's only record. */
async function recordOf({ id }: TestPerson) {
  const { db } = setting.server.services;
  const [visit, ...more] = await db.select().from(operativeVisits).where(eq(operativeVisits.recordedBy, id));
  if (visit === undefined || more.length > 0) throw new Error('not one record');
  return visit;
}

describe('a record that an administrator decides about', () => {
  test('is never announced as success', async () => {
    const person = await aisha();
    const page = await savedOffline(person);
    const { db } = setting.server.services;
    await db.delete(userLocationAccess).where(eq(userLocationAccess.userId, person.id));
    await page.context().setOffline(false);
    await page.locator('#toasts').getByText(formMessages.heldTitle).waitFor();
    expect(await page.getByText('Success', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: /^Received \d/ }).count()).toBe(0);
    await page.goto('/sync');
    const item = page.getByRole('list', { name: 'Received' }).getByRole('listitem');
    await item.getByText(heldMessages.waits).waitFor();
  });
});

describe('a session that ended while there was no connection', () => {
  test('leads to a sign-in page that says how many records wait and whose they are, and nothing else', async () => {
    const person = await aisha();
    const page = await savedOffline(person);
    await setting.server.services.db.delete(sessions).where(eq(sessions.userId, person.id));
    await page.context().setOffline(false);
    await page.waitForURL('**/auth/login');
    await page.getByText(offlineMessages.waitsFor(1, 'Aisha')).waitFor();
    expect(await page.getByText('Basin tap').count()).toBe(0);
    expect(await page.getByText('Harbour House').count()).toBe(0);

    // Still known after a reload, and gone once it has been sent.
    await page.reload();
    await page.getByText(offlineMessages.waitsFor(1, 'Aisha')).waitFor();
    await enterAs(page.context(), setting.server, person);
    await page.goto('/sync');
    await page.getByText(offlineMessages.nothing).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('lintel.owners'))).toBe(null);
  });
});

describe('a clock that is wrong and corrects itself before sending', () => {
  const CLOCKS = [
    [-3 * HOUR_MS, 'with the page open'],
    [26 * HOUR_MS, 'after a restart'],
  ] as const;
  test.each(CLOCKS)(
    'by %i ms, %s: the record stands in its day, marked, and is not refused',
    async (off, when) => {
      const person = await aisha();
      const began = clock.now().getTime();
      const page = await phoneOf(person);
      await goOffline(page);
      await setClock(page, off);
      if (when === 'after a restart') await page.reload();
      await record(page);
      await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
      await setClock(page, 0);
      if (when === 'after a restart') await page.reload();
      await page.context().setOffline(false);
      await page.getByText('Log number').waitFor();
      const visit = await recordOf(person);
      expect(Date.parse(visit.performedAt)).toBeGreaterThan(began - 60_000);
      expect(Date.parse(visit.performedAt)).toBeLessThanOrEqual(clock.now().getTime());
      expect(visit.visitDate).toBe(dayOf(visit.performedAt));
      expect(Math.abs(visit.clockOffsetMs)).toBeGreaterThan(HOUR_MS);
    },
  );

  test('by a year, past the end of the session: what is recorded is saved, nothing else opens, the server judges', async () => {
    const person = await aisha();
    const page = await phoneOf(person);
    await goOffline(page);
    await setClock(page, 365 * DAY_MS);
    await page.goto('/dashboard');
    await page.waitForURL('**/operative-tasks');
    await page.getByText(formMessages.expired).waitFor();
    await page.goto(FORM());
    await record(page);
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    await setClock(page, 0);
    await page.context().setOffline(false);
    await page.getByText('Log number').waitFor();
    const visit = await recordOf(person);
    expect(visit.visitDate).toBe(dayOf(clock.now()));
    expect(visit.clockOffsetMs).toBeGreaterThan(300 * DAY_MS);
  });
});

test('a clock that is wrong is told, and what was received says the time of the server', async () => {
  const person = await aisha();
  const page = await phoneOf(person);
  expect(await page.getByText('Please set it.').count()).toBe(0);
  await setClock(page, -3 * HOUR_MS);
  await page.reload();
  await page.getByText(offlineMessages.clockOff('3h', false)).waitFor();
  await record(page);
  await page.getByText('Log number').waitFor();
  const { receivedAt } = await recordOf(person);
  await page.getByRole('heading', { name: `Received ${formatTime(receivedAt)}` }).waitFor();
  await page.goto('/sync');
  await page
    .getByRole('list', { name: 'Received' })
    .getByText(`Received ${formatTime(receivedAt)}`)
    .waitFor();
});
