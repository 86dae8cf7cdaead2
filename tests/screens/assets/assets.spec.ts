import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { floors } from '#db/schema/places.ts';
import { REGISTER_BUILDINGS_MAX } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let harbour: TestBuilding;
let mill: TestBuilding;
let floor: string;
let manager: TestPerson;
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
  test('says what failed in the words of the product', async () => {
    await make('Water Outlet 1');
    const page = await setting.window(manager);
    await page.goto('/asset-management');
    await line(page, 'Water Outlet 1').waitFor();
    await page.route(/trpc\/.*assets\.duplicate/, refuseWith('not_found'));
    await page.route(/trpc\/.*assets\.create/, refuseWith('not_found'));
    await act(page, 'Water Outlet 1', 'Duplicate');
    await page.getByText('Failed to duplicate asset').waitFor();
    await page.getByLabel('Asset Name').fill('Never stored');
    await page.getByLabel('Description').fill('Never stored');
    await choose(page, /^Building: /, 'Harbour House');
    await page.getByRole('button', { name: 'Add Asset' }).click();
    await page.getByText('Failed to add asset: ').waitFor();

    await page.route(/trpc\/.*locations\.listFloors/, refuseWith('internal'));
    await page.route(/trpc\/.*assets\.list/, refuseWith('internal'));
    await page.goto(`/asset-management?building=${mill.id}`);
    await page.getByText('Error fetching floors').first().waitFor();
    await page.getByText('Failed to load assets').waitFor();
  });

  test('a label leads to the form also with more sites than the first answer lists', async () => {
    const { services } = server;
    const names = Array.from({ length: REGISTER_BUILDINGS_MAX + 1 }, (_, n) => `Depot ${100 + n}`);
    const sites = await Promise.all(names.map((name) => createBuilding(services, { name })));
    const buildings = sites.map(({ id }) => id);
    const operative = await createPerson(services, { role: 'operative', buildings });
    const buildingId = buildings.at(-1) ?? '';
    const { id } = await createAsset(services, { buildingId, name: 'Exit sign', type: 'emergency_light' });
    const form = `**/operative-tasks/emergency-lighting?site=${buildingId}&asset=${id}`;
    const page = await setting.window(operative);
    await page.goto(`/a/${id}`);
    await page.waitForURL(form);
    await page.getByText('Exit sign').first().waitFor();

    // An opened site is stored on the phone, and shown from there when the server fails.
    await expect.poll(() => page.evaluate(namesOfCopies)).toContain(`checks.site:${buildingId}`);
    await expect.poll(() => page.evaluate(namesOfCopies)).toContain('checks.everySite');
    await page.route(/trpc\/.*checks\.register/, refuseWith('internal'));
    await page.goto(`/a/${id}`);
    await page.waitForURL(form);
    await page.getByText('Exit sign').first().waitFor();
  });
});

/** Runs in the page: returns the names of the stored copies. */
async function namesOfCopies(): Promise<string[]> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await done(indexedDB.open('lintel-offline'));
  const copies = await done<{ name: string }[]>(db.transaction('copies').objectStore('copies').getAll());
  db.close();
  return copies.map(({ name }) => name);
}
