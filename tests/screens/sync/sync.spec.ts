import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { waterTemperatureChecks } from '#db/schema/checks/water-temperature.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { photos } from '#db/schema/photos.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { messages } from '#shared/messages.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { doubleTap } from '#tests/support/browser/double-tap.ts';
import { isDrafted } from '#tests/support/browser/kept-on-phone.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { openSyncPhone, reportOffline } from '#tests/support/screens/sync-phone.ts';

// Records saved on a phone without a connection, as their owner sees them.

const words = offlineMessages;

const folder = mkdtempSync(join(tmpdir(), 'lintel-sync-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const setting = setUpWebSetting({ env: { dataDir: folder } });
let building: TestBuilding;

beforeAll(async () => {
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

async function issuesCalled(title: string) {
  const { db } = setting.server.services;
  return db.select().from(buildingIssues).where(eq(buildingIssues.title, title));
}

describe('what waits on a phone', () => {
  test('leaves room in the header for the whole state of the connection', async () => {
    const { page } = await openSyncPhone(setting, building);
    await reportOffline(page, 'Lamp out');
    // A network on which the app loads, but neither the socket nor the report is answered.
    await page.routeWebSocket(/trpc/, () => undefined);
    await page.route(/issues\.create/, () => undefined);
    await page.context().setOffline(false);
    await page.reload();
    const state = page.locator('header [data-live=reconnecting]').getByRole('status');
    await state.waitFor();
    await page.locator('header [data-unsent]').waitFor();
    expect(await state.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
  });

  test('is refused with its reason and its data where access was lost, and thrown away after asking alone', async () => {
    const { page, manager } = await openSyncPhone(setting, building);
    await reportOffline(page, 'Nobody may know');
    const { db } = setting.server.services;
    await db.delete(userLocationAccess).where(eq(userLocationAccess.userId, manager.id));
    await page.context().setOffline(false);
    await page.getByRole('link', { name: words.needAttention(1) }).click();
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Nobody may know' });
    await item.getByText(words.states.attention).waitFor();
    await item.getByText(messages.common.notFound).waitFor();
    await item.getByText('What was recorded').click();
    await item.getByText('medium').waitFor();
    await item.getByRole('button', { name: /^Discard/ }).click();
    const question = page.getByRole('dialog', { name: words.discardTitle });
    await question.getByRole('button', { name: 'Keep it' }).click();
    await item.getByRole('button', { name: /^Discard/ }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByText(words.nothing).waitFor();
    expect(await issuesCalled('Nobody may know')).toEqual([]);
  });

  test('survives double taps on Discard, Keep it and Retry', async () => {
    const { page } = await openSyncPhone(setting, building);
    await reportOffline(page, 'Gutter is loose');
    await page.getByRole('link', { name: words.waiting(1) }).tap();
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Gutter is loose' });
    const question = page.getByRole('dialog', { name: words.discardTitle });
    await doubleTap(page, item.getByRole('button', { name: /^Discard/ }));
    await question.waitFor();
    await doubleTap(page, question.getByRole('button', { name: 'Keep it' }));
    await question.waitFor({ state: 'detached' });
    await doubleTap(page, item.getByRole('button', { name: /^Retry/ }));
    await item.getByText(words.states.saved, { exact: true }).waitFor();
    await page.context().setOffline(false);
    await item.getByText(/^Received \d\d:\d\d$/).waitFor();
    expect(await issuesCalled('Gutter is loose')).toHaveLength(1);
  });

  test('goes into a file that an administrator imports', async () => {
    const { page, manager } = await openSyncPhone(setting, building);
    await reportOffline(page, 'By file');
    await page.getByRole('link', { name: words.waiting(1) }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export to file' }).click();
    await page.getByText(words.exported(1)).waitFor();
    const download = await downloading;
    const path = await download.path();
    expect(download.suggestedFilename()).toMatch(/^lintel-unsent-.*\.json$/);

    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const desk = await setting.open(admin, '/sync');
    await desk.locator('input[type=file]').setInputFiles({
      name: 'unsent.json',
      mimeType: 'application/json',
      buffer: await readFile(path),
    });
    await desk.getByText(importMessages.done(1)).waitFor();
    const [issue] = await issuesCalled('By file');
    expect(issue?.reportedBy).toBe(manager.id);
    // The phone learns that the record is on the server once it has a connection.
    await page.context().setOffline(false);
    await page
      .getByRole('main')
      .getByText(/^Received \d\d:\d\d$/)
      .waitFor();
    expect(await issuesCalled('By file')).toHaveLength(1);
  });

  test('of an older version, without its form, opens in it, or says how it is not lost', async () => {
    const { services } = setting.server;
    const site = await createBuilding(services, { name: 'Dock House' });
    const outlet = (name: string) =>
      createAsset(services, { buildingId: site.id, name, type: 'water_outlet', outletKind: 'cold' });
    const [gone] = [await outlet('Old tap'), await outlet('New tap')];
    const person = await createPerson(services, { role: 'operative', buildings: [site.id] });
    const page = await setting.open(person, `/operative-tasks/water-temperature?site=${site.id}`, PHONE);
    const temperature = (name: string) => page.getByLabel(`Temperature of ${name}`, { exact: true });
    await temperature('Old tap').fill('12.1');
    await temperature('New tap').fill('14.2');
    await services.db.delete(assetLocations).where(eq(assetLocations.assetId, gone.id));
    await services.db.delete(assets).where(eq(assets.id, gone.id));
    await page.getByRole('button', { name: /^Record/ }).click();
    await page.getByRole('heading', { name: words.states.attention }).waitFor();
    await page.evaluate(asOfAnOlderVersion);
    await page.goto('/sync');
    await page.getByText(words.noForm).waitFor();
    expect(await page.getByText(words.noForm).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Export to file' }).count()).toBe(1);
    await page.getByRole('link', { name: /^Edit: Water temperature check/ }).click();
    await page.getByText(words.editing).waitFor();
    await expect.poll(() => temperature('New tap').inputValue()).toBe('14.2');
    // The stored record does not contain the tap's name.
    await page.getByText(formMessages.notRegistered).waitFor();
    await page.getByLabel('Test Outlet').click();
    await page.getByRole('button', { name: 'Record 1 of 1 outlet' }).click();
    await page.getByText('Log number').waitFor();
    // The other record can only be discarded by its owner, after confirmation.
    await page.goto('/sync');
    await page.getByRole('button', { name: /^Discard/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText(words.nothing).waitFor();
    expect(
      await services.db.select().from(operativeVisits).where(eq(operativeVisits.buildingId, site.id)),
    ).toHaveLength(1);
  });

  test('a refused report opens again with what was typed', async () => {
    const { page, manager } = await openSyncPhone(setting, building);
    await reportOffline(page, 'Draughty window');
    const answered = page.waitForResponse(/issues\.create/);
    // Refused once, as by a stricter server.
    await page.context().route('**/trpc/issues.create*', (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: {
            message: 'invalid',
            code: -32600,
            data: { app: { code: 'invalid', message: 'Too vague' } },
          },
        },
      }),
    );
    await page.context().setOffline(false);
    await answered;
    await page.getByRole('link', { name: words.needAttention(1) }).click();
    await page.context().unroute('**/trpc/issues.create*');
    await page.getByRole('link', { name: 'Edit: Draughty window' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Too vague').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Draughty window');
    await dialog.getByLabel('Title').fill('Draughty window, second floor');
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByText(/^Issue .+ created successfully$/).waitFor();
    expect(await issuesCalled('Draughty window')).toEqual([]);
    const [issue, ...more] = await issuesCalled('Draughty window, second floor');
    expect([issue?.reportedBy, more.length]).toEqual([manager.id, 0]);
  });

  test('is put right in its form where it was refused, with its photo, and is received once', async () => {
    const { services } = setting.server;
    const site = await createBuilding(services, { name: 'Quay Court' });
    const outlet = (name: string) =>
      createAsset(services, { buildingId: site.id, name, type: 'water_outlet', outletKind: 'cold' });
    const [gone, stays] = [await outlet('Old tap'), await outlet('New tap')];
    const person = await createPerson(services, { role: 'operative', buildings: [site.id] });
    const page = await setting.open(person, `/operative-tasks/water-temperature?site=${site.id}`, PHONE);
    const temperature = (name: string) => page.getByLabel(`Temperature of ${name}`, { exact: true });
    await temperature('Old tap').fill('12.1');
    await temperature('New tap').fill('99');
    const row = page.getByRole('listitem', { name: 'New tap' });
    await row
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'tap.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await row.getByRole('button', { name: /not sent yet/ }).waitFor();
    await services.db.delete(assetLocations).where(eq(assetLocations.assetId, gone.id));
    await services.db.delete(assets).where(eq(assets.id, gone.id));
    await page.getByRole('button', { name: /^Record/ }).click();
    await page.getByRole('heading', { name: words.states.attention }).waitFor();
    // Retrying would be refused for the same reason.
    await page.getByRole('link', { name: 'Correct it' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);

    // Also reachable from the sync page after the form was left.
    await page.goto('/sync');
    await page.getByRole('link', { name: /^Edit: Water temperature check/ }).click();
    await page.getByText(words.editing).waitFor();
    expect(await temperature('New tap').inputValue()).toBe('99');
    await row.getByRole('button', { name: /not sent yet/ }).waitFor();
    // The phone's copy of the site shows first, then the current register. Only the person may remove the old reading.
    await page.getByText(formMessages.notRegistered).waitFor();
    await page.getByLabel('Test Old tap').click();
    await temperature('Old tap').waitFor({ state: 'detached' });
    await temperature('New tap').fill('13.4');
    await expect.poll(() => isDrafted(page, '13.4')).toBe(true);
    // A started correction survives a reload.
    await page.reload();
    await expect.poll(() => temperature('New tap').inputValue()).toBe('13.4');
    await page.getByRole('button', { name: 'Record 1 of 1 outlet' }).click();
    await page.getByText('Log number').waitFor();

    const { db } = services;
    const visits = await db.select().from(operativeVisits).where(eq(operativeVisits.buildingId, site.id));
    expect(visits).toHaveLength(1);
    const readings = await db
      .select()
      .from(waterTemperatureChecks)
      .where(eq(waterTemperatureChecks.visitId, visits[0]?.id ?? ''));
    expect(readings).toMatchObject([{ outletId: stays.id, temperatureCelsius: 13.4 }]);
    await page.goto('/sync');
    const received = page.getByRole('list', { name: 'Received' }).getByRole('listitem');
    await received.getByText(`Log number ${visits[0]?.logNumber}`, { exact: true }).waitFor();
    await expect
      .poll(() => photoRows(db, eq(photos.buildingId, site.id)))
      .toMatchObject([{ state: 'stored' }]);
    expect(await page.getByText(words.states.attention).count()).toBe(0);
  });
});

/**
 * Runs in the page: rewrites the refused record as stored by an older version, without its form, and adds one with a
 * field that no form has.
 */
async function asOfAnOlderVersion(): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await done(indexedDB.open('lintel-offline'));
  const items = db.transaction('items', 'readwrite').objectStore('items');
  for (const { form: _form, seq, ...item } of await done(items.getAll())) {
    await done(items.put({ ...item, seq }));
    const { input, id } = item;
    await done(items.add({ ...item, id: `${id.slice(0, -4)}0000`, input: { ...input, weather: 'rain' } }));
  }
  db.close();
}
