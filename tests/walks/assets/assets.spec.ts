import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { floors } from '#db/schema/places.ts';
import { scanMessages } from '#shared/features/scan-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let harbour: TestBuilding;
let mill: TestBuilding;
let floor: string;
let manager: TestPerson;
let viewer: TestPerson;
let api: TestClient;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  const { services } = server;
  harbour = await createBuilding(services, { name: 'Harbour House' });
  mill = await createBuilding(services, { name: 'Mill Lane Studios' });
  floor = uuidv7();
  await services.db.insert(floors).values({
    id: floor,
    buildingId: harbour.id,
    level: 0,
    name: 'Ground Floor',
    isBasement: false,
    createdAt: new Date().toISOString(),
  });
  const buildings = [harbour.id, mill.id];
  manager = await createPerson(services, { role: 'manager', buildings });
  viewer = await createPerson(services, { role: 'viewer', buildings });
  api = createTestClient(server.url, await signInAs(server, manager));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function make(name: string, buildingId = harbour.id): Promise<string> {
  const id = uuidv7();
  await api.assets.create.mutate({
    operationId: uuidv7(),
    id,
    buildingId,
    name,
    description: 'For the test',
  });
  return id;
}

const line = (page: Page, name: string) => page.locator('[data-asset]').filter({ hasText: name });

async function choose(page: Page, picker: RegExp, option: string): Promise<void> {
  await page.getByRole('button', { name: picker }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Opens a row's menu and selects an item. */
async function act(page: Page, name: string, entry: string): Promise<void> {
  // A toast may cover the row, and stays while the pointer is on it.
  const crosses = page.getByRole('button', { name: 'Dismiss' });
  for (const cross of await crosses.all()) await cross.dispatchEvent('click').catch(() => undefined);
  await expect.poll(() => crosses.count()).toBe(0);
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

describe('Asset Management', () => {
  test('asks for what is missing, adds, and the filters follow; another window sees it at once', async () => {
    await make('Panel in the mill', mill.id);
    const page = await setting.window(manager);
    const watcher = await setting.window(viewer);
    await watcher.goto('/asset-management');
    await line(watcher, 'Panel in the mill').waitFor();
    expect(await watcher.getByText('Add New Asset').count()).toBe(0);
    await page.goto('/asset-management');
    await page.getByRole('heading', { name: 'Add New Asset' }).waitFor();
    await page.getByRole('button', { name: 'Add Asset' }).click();
    await page.getByText('Asset name is required').waitFor();
    await page.getByText('Description is required').waitFor();
    await page.getByText('Building is required').waitFor();

    await page.goto(`/asset-management?building=${mill.id}`);
    await page.getByLabel('Asset Name').fill('Emergency Light 12');
    await page.getByLabel('Description').fill('Over the exit');
    await choose(page, /^Building: /, 'Harbour House');
    await page.getByLabel('Floor', { exact: true }).selectOption({ label: 'Ground Floor' });
    await page.getByRole('button', { name: 'Add Asset' }).click();
    await page.getByText('Asset added successfully').waitFor();
    await line(page, 'Emergency Light 12').getByText('General').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('building'), searchParams.get('floor')]).toEqual([harbour.id, floor]);
    await line(watcher, 'Emergency Light 12').waitFor();
  });

  test('duplicates, edits, retires and restores, live in a second window', async () => {
    await make('Call Point 3');
    const page = await setting.window(manager);
    const watcher = await setting.window(viewer);
    await Promise.all([page.goto('/asset-management'), watcher.goto('/asset-management')]);
    await act(page, 'Call Point 3', 'Duplicate');
    await page.getByText('Asset duplicated successfully').waitFor();
    await line(watcher, 'Copy of Call Point 3').waitFor();

    await act(page, 'Copy of Call Point 3', 'Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Asset Name').fill('Call Point 4');
    await dialog.getByLabel('Last Visit').fill('');
    await dialog.getByRole('button', { name: 'Save Asset' }).click();
    await page.getByText('Asset updated successfully').waitFor();
    await line(watcher, 'Call Point 4').getByText('Never').waitFor();

    await act(page, 'Call Point 4', 'Retire');
    await page.getByText('Asset retired successfully').waitFor();
    await line(watcher, 'Call Point 4').waitFor({ state: 'detached' });
    await watcher.getByLabel('Filter by state').selectOption('retired');
    await line(watcher, 'Call Point 4').waitFor();
    await page.getByLabel('Filter by state').selectOption('all');
    await act(page, 'Call Point 4', 'Restore');
    await page.getByText('Asset restored successfully').waitFor();
    await line(watcher, 'Call Point 4').waitFor({ state: 'detached' });

    await act(page, 'Call Point 4', 'Retire');
    await line(watcher, 'Call Point 4').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await line(watcher, 'Call Point 4').waitFor({ state: 'detached' });
  });

  test('an asset’s page tells where it is and what happened, and its code leads there', async () => {
    const id = await make('Fire Alarm Panel');
    const page = await setting.window(viewer);
    await page.goto(`/a/${id.toUpperCase()}`);
    await page.waitForURL(`**/asset-management/${id}`);
    await page.getByRole('heading', { name: 'Fire Alarm Panel' }).waitFor();
    await page.getByText('added the asset').waitFor();
    await api.assets.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { roomName: { from: 'General', to: 'Reception' } },
    });
    await page.getByText('changed the room from “General” to “Reception”').waitFor();
    await page.goto(`/asset-management/${uuidv7()}`);
    await page.getByText("This asset no longer exists, or you don't have access to it.").waitFor();

    const operative = await createPerson(server.services, { role: 'operative', buildings: [harbour.id] });
    const other = await setting.window(operative);
    await other.goto(`/a/${id}`);
    await other.getByText(scanMessages.notHereTitle).waitFor();
  });

  test('labels are printed for a selection and for what the table shows', async () => {
    await make('Labelled', mill.id);
    const page = await setting.window(viewer);
    await page.goto(`/asset-management?building=${mill.id}`);
    await page.getByLabel('Select Labelled').check();
    await page.getByRole('link', { name: 'QR labels (1)' }).click();
    await page.getByRole('article').getByText('Labelled').waitFor();
    expect(await page.getByRole('article').getByRole('img').count()).toBe(1);
    await page.goto(`/asset-management?building=${mill.id}`);
    await page.getByRole('link', { name: 'QR labels' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Asset Management' }).last().click();
    await page.waitForURL(`**/asset-management?building=${mill.id}`);
  });
});
