import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { storedFiles } from '#db/schema/files.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { photos } from '#db/schema/photos.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { recordAnyway } from '#tests/support/screens/check-form.ts';
import { choosePhoto, createPhotosSite, type PhotosSite } from '#tests/support/screens/photos-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';

const setting = setUpWebSetting();
let here: PhotosSite;

beforeAll(async () => {
  here = await createPhotosSite(setting);
});

describe('photos on an issue', () => {
  test('wait on the device where the connection is cut, and arrive after the page was ended', async () => {
    const { server } = setting;
    const { id, path } = await here.report('A cracked pane');
    const client = createTestClient(server.url, await signInAs(server, here.manager));
    const { referenceNumber } = (await client.issues.get.query({ id })).data;
    const page = await setting.open(here.manager, path);
    await page.getByRole('heading', { name: 'Photos' }).waitFor();
    // Once with a connection, so that the page has loaded the code that it needs.
    await choosePhoto(page);
    await page.getByRole('button', { name: /^Photo of/ }).waitFor();
    await page.context().setOffline(true);
    await choosePhoto(page);
    const waiting = page.getByRole('list', { name: 'Photos on this computer' });
    await waiting.getByText('Saved on this computer').waitFor();
    const context = page.context();
    await page.close();

    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto('/sync');
    const item = again.getByRole('listitem').filter({ hasText: photoMessages.entry(referenceNumber) });
    await item
      .getByText(/^Received \d\d:\d\d$/)
      .first()
      .waitFor();
    await again.goto(path);
    await again
      .getByRole('button', { name: /^Photo of/ })
      .nth(1)
      .waitFor();
    const stored = await photoRows(server.services.db, eq(photos.onId, id));
    expect(stored.map(({ state }) => state)).toEqual(['stored', 'stored']);
  });

  test('are taken with a report, kept while it is filled in, and arrive with it', async () => {
    const { server } = setting;
    const page = await setting.open(
      here.viewer,
      `/building-issues?building=${here.building.id}&report=${here.building.id}`,
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Graffiti at the gate');
    await choosePhoto(dialog, 2_000, 500);
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    const context = page.context();
    await page.close();

    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`/building-issues?building=${here.building.id}&report=${here.building.id}`);
    const { db } = server.services;
    const arrived = async () => {
      const rows = await db
        .select({ state: storedFiles.state, width: photos.width, by: buildingIssues.reportedBy })
        .from(photos)
        .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
        .innerJoin(buildingIssues, eq(buildingIssues.id, photos.onId))
        .where(eq(buildingIssues.title, 'Graffiti at the gate'));
      return rows;
    };
    await expect.poll(arrived).toEqual([{ state: 'stored', width: 1_600, by: here.viewer.id }]);
    // The form keeps nothing of the submitted report.
    await again.getByRole('dialog').getByLabel('Title').waitFor();
    expect(await again.getByRole('button', { name: /not sent yet/ }).count()).toBe(0);
    expect(await again.getByRole('dialog').getByLabel('Title').inputValue()).toBe('');
  });

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
    const { path } = await here.report('A broken lock');
    const page = await setting.open(here.manager, path);
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
