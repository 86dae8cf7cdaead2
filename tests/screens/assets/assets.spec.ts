import { beforeAll, describe, expect, test } from 'vitest';
import { scanMessages } from '#shared/features/assets/scan-messages.ts';
import { REGISTER_BUILDINGS_MAX } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { type AssetsSite, act, choose, createAssetsSite, line } from '#tests/support/screens/assets-site.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const setting = setUpWebSetting();
let here: AssetsSite;

beforeAll(async () => {
  here = await createAssetsSite(setting);
});

describe('Asset Management', () => {
  test('says what failed in the words of the product', async () => {
    await here.add('Water Outlet 1');
    const page = await setting.window(here.manager);
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
    await page.goto(`/asset-management?building=${here.mill.id}`);
    await page.getByText('Error fetching floors').first().waitFor();
    await page.getByText('Failed to load assets').waitFor();
  });

  test('a retired asset comes back with Undo', async () => {
    await here.add('Call Point 4');
    const page = await setting.open(here.manager, '/asset-management');
    await act(page, 'Call Point 4', 'Retire');
    await line(page, 'Call Point 4').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await line(page, 'Call Point 4').waitFor();
  });

  test('a label that leads nowhere says so: of no asset, and of one that an operative does not test', async () => {
    const id = await here.add('Fire Alarm Panel');
    const page = await setting.open(here.viewer, `/asset-management/${uuidv7()}`);
    await page.getByText("This asset no longer exists, or you don't have access to it.").waitFor();
    const buildings = [here.harbour.id];
    const operative = await createPerson(setting.server.services, { role: 'operative', buildings });
    const other = await setting.open(operative, `/a/${id}`);
    await other.getByText(scanMessages.notHereTitle).waitFor();
  });

  test('a label leads to the form also with more sites than the first answer lists', async () => {
    const { services } = setting.server;
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
