import { beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { type AssetsSite, act, choose, createAssetsSite, line } from '#tests/support/screens/assets-site.ts';

const setting = setUpWebSetting();
let here: AssetsSite;

beforeAll(async () => {
  here = await createAssetsSite(setting);
});

test('a manager adds, duplicates, edits, retires and restores; a viewer sees it at once, and changes nothing', async () => {
  await here.add('Panel in the mill', here.mill);
  const watcher = await setting.open(here.viewer, '/asset-management');
  await line(watcher, 'Panel in the mill').waitFor();
  expect(await watcher.getByText('Add New Asset').count()).toBe(0);
  const page = await setting.open(here.manager, `/asset-management?building=${here.mill.id}`);
  await page.getByLabel('Asset Name').fill('Emergency Light 12');
  await page.getByLabel('Description').fill('Over the exit');
  await choose(page, /^Building: /, 'Harbour House');
  await page.getByLabel('Floor', { exact: true }).selectOption({ label: 'Ground Floor' });
  await page.getByRole('button', { name: 'Add Asset' }).click();
  await page.getByText('Asset added successfully').waitFor();
  await line(page, 'Emergency Light 12').getByText('General').waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('building'), searchParams.get('floor')]).toEqual([here.harbour.id, here.floor]);
  await line(watcher, 'Emergency Light 12').waitFor();

  await act(page, 'Emergency Light 12', 'Duplicate');
  await page.getByText('Asset duplicated successfully').waitFor();
  await line(watcher, 'Copy of Emergency Light 12').waitFor();
  await act(page, 'Copy of Emergency Light 12', 'Edit');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Asset Name').fill('Exit sign');
  await dialog.getByLabel('Last Visit').fill('');
  await dialog.getByRole('button', { name: 'Save Asset' }).click();
  await page.getByText('Asset updated successfully').waitFor();
  await line(watcher, 'Exit sign').getByText('Never').waitFor();

  await act(page, 'Exit sign', 'Retire');
  await page.getByText('Asset retired successfully').waitFor();
  await line(watcher, 'Exit sign').waitFor({ state: 'detached' });
  await watcher.getByLabel('Filter by state').selectOption('retired');
  await line(watcher, 'Exit sign').waitFor();
  await page.getByLabel('Filter by state').selectOption('all');
  await act(page, 'Exit sign', 'Restore');
  await page.getByText('Asset restored successfully').waitFor();
  await line(watcher, 'Exit sign').waitFor({ state: 'detached' });
});

test('the code of an asset leads to its page, which tells what happened; labels are printed', async () => {
  const id = await here.add('Fire Alarm Panel', here.mill);
  await here.add('Call Point 3', here.mill);
  const page = await setting.open(here.viewer, `/a/${id.toUpperCase()}`);
  await page.waitForURL(`**/asset-management/${id}`);
  await page.getByRole('heading', { name: 'Fire Alarm Panel' }).waitFor();
  await page.getByText('added the asset').waitFor();
  const changes = { roomName: { from: 'General', to: 'Reception' } };
  await here.client.assets.update.mutate({ operationId: uuidv7(), id, changes });
  await page.getByText('changed the room from “General” to “Reception”').waitFor();

  const table = `/asset-management?building=${here.mill.id}`;
  await page.goto(table);
  await page.getByLabel('Select Fire Alarm Panel').check();
  await page.getByRole('link', { name: 'QR labels (1)' }).click();
  await page.getByRole('article').getByText('Fire Alarm Panel').waitFor();
  expect(await page.getByRole('article').getByRole('img').count()).toBe(1);
  await page.goto(table);
  await page.getByRole('link', { name: 'QR labels' }).click();
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(1);
  await page.getByRole('link', { name: 'Asset Management' }).last().click();
  await page.waitForURL(`**${table}`);
});
