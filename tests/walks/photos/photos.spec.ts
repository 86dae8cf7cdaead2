import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { photoRows } from '#tests/support/rows/photos.ts';
import { choosePhoto, createPhotosSite, type PhotosSite } from '#tests/support/screens/photos-site.ts';

const setting = setUpWebSetting();
let here: PhotosSite;

beforeAll(async () => {
  here = await createPhotosSite(setting);
});

test('photos on an issue are made small, sent, seen by others at once, opened large, and removed for all', async () => {
  const { server } = setting;
  const { path } = await here.report('A leak in the plant room');
  const mine = await setting.open(here.manager, path);
  const theirs = await setting.open(here.viewer, path);
  await theirs.getByRole('heading', { name: 'Photos' }).waitFor();
  // A viewer has no way to add photos.
  expect(await theirs.locator('input[type=file]').count()).toBe(0);

  await choosePhoto(mine, 2_000, 500);
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
