import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { waterTemperatureChecks } from '#db/schema/checks/water-temperature.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { photos } from '#db/schema/photos.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { isDrafted } from '#tests/support/browser/kept-on-phone.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';

// Records saved on a phone without a connection, as their owner sees them.

const words = offlineMessages;

let setting: WebSetting;
let folder: string;
let building: TestBuilding;
let manager: TestPerson;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-sync-'));
  setting = await createWebSetting({ env: { dataDir: folder } });
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a phone that has loaded everything it needs and has lost the connection. */
async function offlinePhone(): Promise<Page> {
  const { services } = setting.server;
  manager = await createPerson(services, { role: 'manager', buildings: [building.id] });
  const page = await setting.open(manager, '/sync', PHONE);
  await page.getByText(words.nothing).waitFor();
  await goTo(page, 'Building Issues');
  await page.locator('[data-live=live]').waitFor();
  return page;
}

async function goTo(page: Page, name: string): Promise<void> {
  const menu = name === 'Sync' ? 'User menu' : 'Menu';
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function report(page: Page, title: string): Promise<void> {
  await page
    .getByRole('button', { name: /Report/ })
    .first()
    .click();
  await page.getByLabel('Title').fill(title);
  await loseConnection(page);
  await page.getByRole('button', { name: 'Create Issue' }).click();
  await page.getByText(messages.issues.reportKept).waitFor();
}

async function issuesCalled(title: string) {
  const { db } = setting.server.services;
  return db.select().from(buildingIssues).where(eq(buildingIssues.title, title));
}

describe('what waits on a phone', () => {
  test('is shown as saved, asked about before signing out, seen by other tabs, and received once', async () => {
    const page = await offlinePhone();
    const other = await page.context().newPage();
    await other.goto('/sync');
    await other.getByText(words.nothing).waitFor();
    await report(page, 'Pump is leaking');
    await page.getByRole('link', { name: words.waiting(1) }).click();
    const item = (tab: Page) =>
      tab.getByRole('main').getByRole('listitem').filter({ hasText: 'Pump is leaking' });
    for (const tab of [page, other]) await item(tab).getByText(words.states.saved, { exact: true }).waitFor();
    await page.getByText(words.noConnection).waitFor();

    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: words.signOutTitle });
    await question.getByText(words.signOutText(words.waiting(1))).waitFor();
    await question.getByRole('button', { name: 'Stay signed in' }).click();

    await page.reload({ waitUntil: 'commit' }).catch(() => undefined);
    await page.context().setOffline(false);
    await page.goto('/sync');
    for (const tab of [page, other])
      await item(tab)
        .getByText(/^Received \d\d:\d\d$/)
        .waitFor();
    const [issue, ...more] = await issuesCalled('Pump is leaking');
    expect([issue?.reportedBy, more.length]).toEqual([manager.id, 0]);
    await item(page).getByText(`Reference ${issue?.referenceNumber}`, { exact: true }).waitFor();
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
    await page.getByRole('button', { name: 'Record 1 of 1 outlets' }).click();
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
