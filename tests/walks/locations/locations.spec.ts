import { beforeAll, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { choose, column, param, row } from '#tests/support/screens/locations-screen.ts';

const setting = setUpWebSetting();
let admin: TestPerson;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin' });
});

test('an administrator adds a client, a building and floors, renames, deletes and restores', async () => {
  const page = await setting.open(admin, '/locations');
  await page.getByRole('heading', { name: 'Add New Locations' }).waitFor();
  await column(page, 'Buildings').getByText('Select a client to see its buildings.').waitFor();
  await page.getByLabel('Client Name').fill('Northgate Estates');
  await page.keyboard.press('Enter');
  await page.getByText('Client added successfully').waitFor();
  await expect.poll(() => param(page, 'tab')).toBe('building');
  await expect.poll(() => row(page, 'Clients', 'Northgate').getAttribute('aria-pressed')).toBe('true');
  await column(page, 'Buildings').getByText('This client has no buildings yet.').waitFor();

  await page.getByLabel('Building Name').fill('Harbour House');
  await page.getByRole('button', { name: 'Add Building', exact: true }).click();
  await page.getByText('Building added successfully').waitFor();
  await expect.poll(() => row(page, 'Buildings', 'Harbour').getAttribute('aria-pressed')).toBe('true');
  await column(page, 'Floors').getByText('This building has no floors yet.').waitFor();

  await page.getByLabel('Number of Floors').fill('22');
  await page.getByLabel('Include basement').check();
  await page.getByRole('button', { name: 'Add Floors', exact: true }).click();
  await page.getByText('23 floor(s) added successfully').waitFor();
  await expect
    .poll(() => column(page, 'Floors').getByRole('listitem').first().textContent())
    .toContain('21st Floor');

  await choose(page, 'Harbour House', 'Delete');
  await page
    .getByText('Are you sure you want to delete this building? This will delete all associated floors.')
    .waitFor();
  await page.getByText('It has 23 floors.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Building deleted successfully').waitFor();
  await expect.poll(() => param(page, 'building')).toBeNull();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Restore Harbour House' }).click();
  await page.getByText('Building restored successfully').waitFor();
  await page.keyboard.press('Escape');
  await row(page, 'Buildings', 'Harbour House').waitFor();

  await choose(page, 'Northgate Estates', 'Rename');
  await page.getByRole('dialog').getByLabel('Client Name').fill('Northgate Group');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client renamed successfully').waitFor();
  await choose(page, 'Northgate Group', 'Delete');
  await page
    .getByText(
      'Are you sure you want to delete this client? This will delete all associated buildings and floors.',
    )
    .waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Client deleted successfully').waitFor();
});

test('a viewer only looks', async () => {
  const mine = await createBuilding(setting.server.services, { name: 'Viewed House' });
  const viewer = await createPerson(setting.server.services, { role: 'viewer', buildings: [mine.id] });
  const page = await setting.open(viewer, '/locations');
  await column(page, 'Clients').getByRole('listitem').first().waitFor();
  expect(await column(page, 'Clients').getByRole('listitem').count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'Add New Locations' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Actions for|Archive/ }).count()).toBe(0);
  await page.goto('/add-location');
  await page.waitForURL('**/dashboard');
});

test('a building is added in one go: to a client that is chosen, or by three texts', async () => {
  await createClient(setting.server.services, { name: 'Priory Homes' });
  const page = await setting.open(admin, '/add-building');
  await page.getByRole('button', { name: /^Client: / }).click();
  await page.getByRole('option', { name: 'Priory Homes' }).click();
  await page.getByLabel('Building Name').fill('Priory Lodge');
  await page.getByLabel('Number of Floors').fill('2');
  await page.getByRole('button', { name: 'Add Building', exact: true }).click();
  await page.getByText('Building added successfully').waitFor();
  await page.getByRole('link', { name: 'View in Locations' }).click();
  await column(page, 'Floors').getByText('1st Floor').waitFor();

  await page.goto('/add-location');
  await page.getByLabel('Client', { exact: true }).fill('Quayside Estates');
  await page.getByLabel('Building Name').fill('Quayside Mill');
  await page.getByLabel('Site Address').fill('1 First Street\nLeeds');
  await page.getByRole('button', { name: 'Save and Add New Location' }).click();
  await page.getByText('Quayside Mill has been added successfully.').waitFor();
  await page.getByRole('cell', { name: 'Quayside Mill' }).waitFor();
});
