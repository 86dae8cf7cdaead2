import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { photos } from '#db/schema/photos.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { createTestClient } from '#tests/support/server/client.ts';

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
    await expect.poll(arrived).toEqual([{ state: 'stored', width: 1_600, by: viewer.id }]);
    // The form keeps nothing of the submitted report.
    await again.getByRole('dialog').getByLabel('Title').waitFor();
    expect(await again.getByRole('button', { name: /not sent yet/ }).count()).toBe(0);
    expect(await again.getByRole('dialog').getByLabel('Title').inputValue()).toBe('');
  });
});
