import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { create } from 'qrcode';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { storedFiles } from '#db/schema/files.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { photos } from '#db/schema/photos.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { recordAnyway } from '#tests/support/check-form.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/checks.ts';
import { createTestClient } from '#tests/support/client.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { enterAs } from '#tests/support/pages.ts';
import { createPhone } from '#tests/support/phone.ts';
import { noisyPicture, photoRows } from '#tests/support/photos.ts';
import { rare, test } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let folder: string;
let building: TestBuilding;
let manager: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-photos-'));
  setting = await createWebSetting({ env: { dataDir: folder } });
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  manager = await createPerson(services, { role: 'manager', buildings: [building.id] });
  viewer = await createPerson(services, { role: 'viewer', buildings: [building.id] });
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await rm(folder, { recursive: true, force: true });
});

describe('photos on an issue', () => {
  test('are made small, sent, seen by others at once, opened large, and removed for all', async () => {
    const { server } = setting;
    const client = createTestClient(server.url, await signInAs(server, manager));
    const id = uuidv7();
    await client.issues.create.mutate({
      operationId: uuidv7(),
      id,
      buildingId: building.id,
      title: 'A leak in the plant room',
    });
    const path = `/building-issues?building=${building.id}&issue=${id}`;
    const mine = await setting.open(manager, path);
    const theirs = await setting.open(viewer, path);
    await theirs.getByRole('heading', { name: 'Photos' }).waitFor();
    // A viewer has no way to add photos.
    expect(await theirs.locator('input[type=file]').count()).toBe(0);

    await mine
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: noisyPicture(2_000, 500) });
    for (const page of [mine, theirs]) await page.getByRole('button', { name: /^Photo of/ }).waitFor();
    const [stored] = await photoRows(server.services.db);
    expect(stored).toMatchObject({ state: 'stored', width: 1_600, height: 400, contentType: 'image/jpeg' });
    if (stored === undefined) throw new Error('nothing was stored');
    const pieces: Buffer[] = [];
    const file = await server.services.stores.disk.storage.get(stored.key);
    for await (const piece of file?.stream ?? []) pieces.push(Buffer.from(piece));
    const bytes = Buffer.concat(pieces);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(stored.sha256);
    // No EXIF data, such as location or device.
    expect(bytes.includes('Exif')).toBe(false);

    await mine.getByRole('button', { name: /^Photo of/ }).click();
    await mine.getByText('Photo 1 of 1').waitFor();
    await mine.getByRole('button', { name: 'Remove photo' }).click();
    await mine.getByRole('button', { name: 'Remove for everyone' }).click();
    for (const page of [mine, theirs]) {
      await expect.poll(() => page.getByRole('button', { name: /^Photo of/ }).count()).toBe(0);
    }
  });

  test('wait on the device where the connection is cut, and arrive after the page was ended', async () => {
    const { server } = setting;
    const client = createTestClient(server.url, await signInAs(server, manager));
    const id = uuidv7();
    const input = { operationId: uuidv7(), id, buildingId: building.id, title: 'A cracked pane' };
    const { referenceNumber } = await client.issues.create.mutate(input);
    const path = `/building-issues?building=${building.id}&issue=${id}`;
    const page = await setting.open(manager, path);
    await page.getByRole('heading', { name: 'Photos' }).waitFor();
    // Once with a connection, so that the page has loaded the code that it needs.
    const choose = () =>
      page
        .getByLabel(/^Choose photos of/)
        .setInputFiles({ name: 'pane.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await choose();
    await page.getByRole('button', { name: /^Photo of/ }).waitFor();
    await page.context().setOffline(true);
    await choose();
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
    const page = await setting.open(viewer, `/building-issues?building=${building.id}&report=${building.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Graffiti at the gate');
    await dialog
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'gate.png', mimeType: 'image/png', buffer: noisyPicture(2_000, 500) });
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    const context = page.context();
    await page.close();

    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`/building-issues?building=${building.id}&report=${building.id}`);
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
    await expect
      .poll(arrived, { timeout: 20_000 })
      .toEqual([{ state: 'stored', width: 1_600, by: viewer.id }]);
    // The form keeps nothing of the submitted report.
    await again.getByRole('dialog').getByLabel('Title').waitFor();
    expect(await again.getByRole('button', { name: /not sent yet/ }).count()).toBe(0);
    expect(await again.getByRole('dialog').getByLabel('Title').inputValue()).toBe('');
  });

  rare('are waited for with a report, and go nowhere where it is thrown away meanwhile', async () => {
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
    await expect.poll(() => storedAt(site.id), { timeout: 20_000 }).toEqual(['stored']);
  });

  rare('that cannot be read are refused in words, and leave the others alone', async () => {
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
  rare('are of their row, though its result is taken back by a slip and pressed again', async () => {
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
    await expect.poll(() => storedAt(site.id), { timeout: 20_000 }).toEqual(['stored']);
  });

  rare('are waited for: the check is handed in when they are small', async () => {
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
    await expect.poll(() => storedAt(site.id), { timeout: 20_000 }).toEqual(['stored']);
  });

  rare('stay with a reading whose asset is retired before it is handed in', async () => {
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
    await expect.poll(() => storedAt(site.id), { timeout: 20_000 }).toEqual(['stored']);
  });

  rare('are not of the next check, where everything was taken back and the form was left', async () => {
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

describe('scanning a label', () => {
  rare('opens the form of the next check of the asset, at its row', async () => {
    const { server } = setting;
    const operative = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    const make = (name: string) =>
      createAsset(server.services, {
        buildingId: building.id,
        name,
        type: 'emergency_light',
      });
    await make('Stair light');
    const light = await make('Exit sign');
    const video = join(folder, 'label.y4m');
    await writeFile(video, filmOf(`https://lintel.example.com/a/${light.id}`));
    const phone = await createPhone([
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ]);
    try {
      const page = await phone.open();
      await enterAs(page.context(), server, operative);
      await page.goto(`${server.url}/scan`);
      await page.waitForURL(
        ({ pathname, searchParams }) =>
          pathname === '/operative-tasks/emergency-lighting' &&
          searchParams.get('site') === building.id &&
          searchParams.get('asset') === light.id,
      );
      await expect
        .poll(() =>
          page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row')),
        )
        .toBe(light.id);
    } finally {
      await phone.discard();
    }
  });

  rare('says so where the camera is not allowed, and of an asset that is not theirs', async () => {
    const { server } = setting;
    const operative = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    const page = await setting.open(operative, '/scan', { permissions: [] });
    await page.getByText("The camera can't be used").waitFor();
    await page.goto(`${server.url}/a/${uuidv7()}`);
    await page.getByText('Not on your list').waitFor();
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

/** Returns a film of a single QR code with its quiet zone, as input of the fake camera. */
function filmOf(text: string): Buffer {
  const [width, height, scale] = [640, 480, 8];
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const left = Math.floor((width - modules.size * scale) / 2);
  const top = Math.floor((height - modules.size * scale) / 2);
  const light = Buffer.alloc(width * height, 235);
  for (let y = 0; y < modules.size * scale; y += 1) {
    for (let x = 0; x < modules.size * scale; x += 1) {
      const dark = modules.get(Math.floor(y / scale), Math.floor(x / scale)) !== 0;
      if (dark) light[(top + y) * width + left + x] = 16;
    }
  }
  const grey = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, grey]);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: 10 }, () => frame),
  ]);
}
