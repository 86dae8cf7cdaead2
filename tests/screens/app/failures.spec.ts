import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

// Messages shown when the server refuses or does not answer, for places, people, disciplines and assets.

const setting = setUpWebSetting();
let admin: TestPerson;
let harbour: TestBuilding;

beforeAll(async () => {
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House' });
  await createBuilding(services, { name: 'Mill' });
  admin = await createPerson(services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});

const refuse = (page: Page, procedures: string) =>
  page.route(new RegExp(`trpc/.*(${procedures})`), refuseWith('not_found'));
const fail = (page: Page, procedures: string) =>
  page.route(new RegExp(`trpc/.*(${procedures})`), refuseWith('internal'));

describe('people', () => {
  test('say what failed, and stay as they are', async () => {
    await createPerson(setting.server.services, {
      role: 'viewer',
      firstName: 'Vera',
      lastName: 'Viewer',
      buildings: [harbour.id],
    });
    const page = await setting.open(admin, '/user-management');
    const card = page.getByRole('article', { name: 'Vera Viewer' });
    await card.getByText('Location Access').waitFor();
    expect(await card.getByLabel('Role').getByRole('option').allInnerTexts()).toEqual([
      'Admin - Full system access',
      'Manager - Task and asset management',
      'Operative - Task execution only',
      'Viewer - Read-only access',
    ]);
    await refuse(page, 'users\\.(setRole|grant|revoke)');
    await card.getByLabel('Role').selectOption('operative');
    await page.getByText('Failed to update user role').waitFor();
    await expect.poll(() => card.getByLabel('Role').inputValue()).toBe('viewer');
    await card.getByRole('button', { name: 'Mill' }).click();
    await page.getByText('Failed to grant location access').waitFor();
    await card.getByRole('button', { name: 'Harbour House' }).click();
    await page.getByText('Failed to revoke location access').waitFor();

    await page.getByRole('tab', { name: 'Locations' }).click();
    await page.getByRole('heading', { name: 'Location Management' }).waitFor();
    await page.getByRole('tab', { name: 'Buildings' }).click();
    await page.getByRole('heading', { name: 'Building Management' }).waitFor();

    await fail(page, 'users\\.list');
    await page.goto('/user-management');
    await page.getByText('Failed to fetch users').waitFor();
  });
});

describe('disciplines', () => {
  test('say what failed', async () => {
    const client = createTestClient(setting.server.url, await signInAs(setting.server, admin));
    await client.documents.disciplines.add.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      name: 'Fire Safety',
    });
    const page = await setting.open(admin, '/user-management?tab=disciplines');
    await page.getByText('Fire Safety').waitFor();
    await refuse(page, 'disciplines\\.(add|rename|remove)');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add Discipline' }).first().click();
    await dialog.getByLabel('Discipline Name').fill('Water');
    await dialog.getByRole('button', { name: 'Add Discipline' }).click();
    await page.getByText('Failed to add discipline').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Edit Fire Safety' }).click();
    await dialog.getByLabel('Discipline Name').fill('Fire');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Failed to update discipline').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Delete Fire Safety' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Failed to delete discipline').first().waitFor();

    await fail(page, 'disciplines\\.list');
    await page.goto('/user-management?tab=disciplines');
    await page.getByText('Failed to fetch disciplines').waitFor();
  });
});

describe('places', () => {
  test('say what failed, and how many there are', async () => {
    const client = await createClient(setting.server.services);
    const page = await setting.open(admin, '/add-location');
    await page.getByRole('heading', { name: 'Current Locations' }).waitFor();
    await page.getByText('Showing 2 location(s)').waitFor();

    await fail(page, 'locations\\.listFloors');
    await page.goto(`/locations?building=${harbour.id}`);
    await page.getByText('Failed to load floors').waitFor();

    await refuse(page, 'locations\\.remove');
    await askToDelete(page, 'Harbour House');
    await page.getByText('Failed to delete building').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('searchbox', { name: 'Search clients...' }).fill(client.name);
    await askToDelete(page, client.name);
    await page.getByText('Failed to delete client').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await fail(page, 'locations\\.listBuildings');
    await page.goto(`/locations?client=${harbour.clientId}`);
    await page.getByText('Failed to load buildings').waitFor();
  });
});

describe('floors', () => {
  test('say what failed, and stay as they are', async () => {
    const client = createTestClient(setting.server.url, await signInAs(setting.server, admin));
    const place = { operationId: uuidv7(), clientId: harbour.clientId, name: 'Pier', floors: 3 };
    const { id: buildingId } = await client.locations.createBuilding.mutate(place);
    const { data: floors } = await client.locations.listFloors.query({ buildingId });
    const away = floors.find(({ level }) => level === 2);
    const floorId = away?.id ?? '';
    // An empty floor would be deleted instead of archived.
    const light = { operationId: uuidv7(), id: uuidv7(), buildingId, floorId, name: 'Light' };
    await client.assets.create.mutate({ ...light, description: 'By the door' });
    await client.locations.removeFloor.mutate({ operationId: uuidv7(), id: floorId });

    const page = await setting.open(admin, `/locations?client=${harbour.clientId}&building=${buildingId}`);
    const floor = page.getByRole('region', { name: 'Floors' }).getByRole('listitem');
    await floor.filter({ hasText: '1st Floor' }).waitFor();
    await refuse(page, 'locations\\.(renameFloor|removeFloor|restoreFloor)');
    await page.getByRole('button', { name: 'Actions for 1st Floor' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Floor Name').fill('Mezzanine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Failed to rename floor').waitFor();
    // The typed name is kept for another attempt.
    expect(await page.getByRole('dialog').getByLabel('Floor Name').inputValue()).toBe('Mezzanine');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();

    await askToDelete(page, '1st Floor');
    await page.getByText('Failed to delete floor').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await floor.filter({ hasText: '1st Floor' }).waitFor();

    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore 2nd Floor' }).click();
    await page.getByText('Failed to restore floor').waitFor();
    await page.getByRole('button', { name: 'Restore 2nd Floor' }).waitFor();
    expect(await floor.filter({ hasText: '2nd Floor' }).count()).toBe(0);
  });
});

describe('assets', () => {
  test('are not added by a person who has been signed out meanwhile', async () => {
    const page = await setting.open(admin, '/asset-management');
    await page.getByLabel('Asset Name').fill('Never stored');
    await page.getByLabel('Description').fill('Never stored');
    await page.getByRole('button', { name: /^Building: / }).click();
    await page.getByRole('option', { name: 'Harbour House' }).first().click();
    await page.route(/trpc\/.*assets\.create/, refuseWith('unauthenticated'));
    await page.getByRole('button', { name: 'Add Asset' }).click();
    await page.getByText('Failed to add asset: You must be logged in to add assets').waitFor();
  });
});

async function askToDelete(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
}
