import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { photos } from '#db/schema/photos.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { recordAnyway } from '#tests/support/screens/check-form.ts';
import { createTestClient } from '#tests/support/server/client.ts';

let setting: WebSetting;
let folder: string;
let building: TestBuilding;
let manager: TestPerson;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-photos-'));
  setting = await createWebSetting({ env: { dataDir: folder } });
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  manager = await createPerson(services, { role: 'manager', buildings: [building.id] });
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await rm(folder, { recursive: true, force: true });
});

describe('photos on an issue', () => {
  test('are waited for with a report, and go nowhere where it is thrown away meanwhile', async () => {
    const { services } = setting.server;
    const site = await createBuilding(services);
    const person = await createPerson(services, { role: 'manager', buildings: [site.id] });
    const page = await setting.open(person, `/building-issues?building=${site.id}`);
    const dialog = page.getByRole('dialog');
    const open = () => page.getByRole('button', { name: 'Report Issue' }).click();
    const release = await holdPreparation(page);
    await open();
    await choosePhoto(dialog);
    await dialog.getByText(photoMessages.preparing).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await open();
    await dialog.getByLabel('Title').fill('A loose handrail');
    await choosePhoto(dialog);
    await dialog.getByText(photoMessages.preparing).waitFor();
    const create = dialog.getByRole('button', { name: 'Create Issue' });
    expect(await create.isDisabled()).toBe(true);
    await release();
    await expect.poll(() => create.isDisabled()).toBe(false);
    expect(await dialog.getByRole('button', { name: /not sent yet/ }).count()).toBe(1);
    await create.click();
    await expect.poll(() => storedAt(site.id)).toEqual(['stored']);
  });

  test('that cannot be read are refused in words, and leave the others alone', async () => {
    const { server } = setting;
    const client = createTestClient(server.url, await signInAs(server, manager));
    const id = uuidv7();
    const input = { operationId: uuidv7(), id, buildingId: building.id, title: 'A broken lock' };
    await client.issues.create.mutate(input);
    const page = await setting.open(manager, `/building-issues?building=${building.id}&issue=${id}`);
    await page.getByLabel(/^Choose photos of/).setInputFiles([
      { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') },
      { name: 'good.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) },
    ]);
    await page.getByText("This picture can't be read on this computer.", { exact: false }).waitFor();
    await page.getByRole('button', { name: /^Photo of/ }).waitFor();
  });
});

describe('photos of a check', () => {
  test('are of their row, though its result is taken back by a slip and pressed again', async () => {
    const { page, site, row } = await openLights();
    await row('Exit sign').getByRole('button', { name: 'Pass' }).click();
    await choosePhoto(row('Exit sign'));
    await row('Exit sign')
      .getByRole('button', { name: /not sent yet/ })
      .waitFor();
    await row('Exit sign').getByRole('button', { name: 'Clear result of Exit sign' }).click();
    await expect
      .poll(() =>
        row('Exit sign')
          .getByLabel(/^Choose photos of/)
          .count(),
      )
      .toBe(0);
    await row('Exit sign').getByRole('button', { name: 'Fail' }).click();
    await row('Exit sign')
      .getByRole('button', { name: /not sent yet/ })
      .waitFor();
    await page.getByLabel('Supply restored, charge indicators on').check();
    await recordAnyway(page);
    await expect.poll(() => storedAt(site.id)).toEqual(['stored']);
  });

  test('are waited for: the check is handed in when they are small', async () => {
    const { page, site, row } = await openLights();
    const release = await holdPreparation(page);
    await row('Exit sign').getByRole('button', { name: 'Pass' }).click();
    await page.getByLabel('Supply restored, charge indicators on').check();
    await choosePhoto(row('Exit sign'));
    const waiting = page.getByRole('button', { name: photoMessages.preparing });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    await release();
    await recordAnyway(page);
    await expect.poll(() => storedAt(site.id)).toEqual(['stored']);
  });

  test('stay with a reading whose asset is retired before it is handed in', async () => {
    const { server } = setting;
    const { page, site, row, person, bulkhead, exitSign } = await openLights();
    await page.locator('[data-live=live]').waitFor();
    await row('Exit sign').getByRole('button', { name: 'Pass' }).click();
    await choosePhoto(row('Exit sign'));
    await row('Exit sign')
      .getByRole('button', { name: /not sent yet/ })
      .waitFor();
    await server.services.db
      .update(assets)
      .set({ retiredAt: new Date().toISOString() })
      .where(eq(assets.id, exitSign.id));
    // A check by another phone causes the register to be fetched again.
    const client = createTestClient(server.url, await signInAs(server, person));
    const kind = 'emergency_lighting_test';
    const entries = [lineOf(kind, 'pass', bulkhead.id)];
    await client.checks.record.mutate(
      visitOf(kind, { buildingId: site.id, now: new Date().toISOString(), entries }),
    );
    await row('Exit sign').getByText(formMessages.notRegistered).waitFor();
    await page.getByLabel('Supply restored, charge indicators on').check();
    await recordAnyway(page);
    await expect.poll(() => storedAt(site.id)).toEqual(['stored']);
  });

  test('are not of the next check, where everything was taken back and the form was left', async () => {
    const { page, row } = await openLights();
    const pass = row('Exit sign').getByRole('button', { name: 'Pass' });
    await pass.click();
    await choosePhoto(row('Exit sign'));
    const photo = row('Exit sign').getByRole('button', { name: /not sent yet/ });
    await photo.waitFor();
    await row('Exit sign').getByRole('button', { name: 'Clear result of Exit sign' }).click();
    await photo.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Back to Tasks' }).click();
    await page.getByRole('heading', { name: 'Operative Tasks' }).waitFor();
    await page.goBack();
    await pass.click();
    await row('Exit sign')
      .getByLabel(/^Choose photos of/)
      .waitFor({ state: 'attached' });
    expect(await photo.count()).toBe(0);
  });
});

/** Opens the form of a lighting test at a site of its own. */
async function openLights() {
  const { services } = setting.server;
  const site = await createBuilding(services);
  const make = (name: string) =>
    createAsset(services, { buildingId: site.id, name, type: 'emergency_light' });
  const bulkhead = await make('Bulkhead');
  const exitSign = await make('Exit sign');
  const person = await createPerson(services, { role: 'operative', buildings: [site.id] });
  const page = await setting.open(person, `/operative-tasks/emergency-lighting?site=${site.id}`);
  const row = (name: string) => page.getByRole('listitem', { name });
  await row('Exit sign').waitFor();
  return { site, bulkhead, exitSign, person, page, row };
}

/** Returns the upload states of a site's photos on the server. */
async function storedAt(buildingId: string): Promise<string[]> {
  const { db } = setting.server.services;
  const rows = await photoRows(db, eq(photos.buildingId, buildingId));
  return rows.map(({ state }) => state);
}

async function choosePhoto(within: Locator): Promise<void> {
  await within
    .getByLabel(/^Choose photos of/)
    .setInputFiles({ name: 'light.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
}

/**
 * Holds the scaling of this page's photos from now on.
 * @returns a function that lets all of them continue
 */
async function holdPreparation(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const promise = new Promise<void>((resolve) => Object.assign(window, { release: resolve }));
    const real = window.createImageBitmap.bind(window);
    const held = async (...args: Parameters<typeof real>) => {
      await promise;
      return real(...args);
    };
    Object.assign(window, { createImageBitmap: held });
  });
  return () => page.evaluate(() => Reflect.get(window, 'release')());
}
