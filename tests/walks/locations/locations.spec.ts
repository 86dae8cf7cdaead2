import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let admin: TestPerson;
let api: TestClient;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  admin = await createPerson(server.services, { role: 'admin' });
  api = createTestClient(server.url, await signInAs(server, admin));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const operation = () => ({ operationId: uuidv7() });
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, list: string, name: string) =>
  column(page, list).getByRole('listitem').filter({ hasText: name }).getByRole('button').first();
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function choose(page: Page, picker: RegExp, option: string): Promise<void> {
  await page.getByRole('button', { name: picker }).click();
  await page.getByRole('option', { name: option }).first().click();
}

describe('Location Management', () => {
  test('adds a client, a building and floors, and follows with the selection', async () => {
    const page = await setting.window(admin);
    await page.goto('/locations');
    await page.getByRole('heading', { name: 'Add New Locations' }).waitFor();
    await column(page, 'Buildings').getByText('Select a client to see its buildings.').waitFor();

    await page.getByRole('button', { name: 'Add Client', exact: true }).click();
    await page.getByText('Client name is required').waitFor();
    await page.getByLabel('Client Name').fill('Northgate Estates');
    await page.keyboard.press('Enter');
    await page.getByText('Client added successfully').waitFor();
    await expect.poll(() => param(page, 'tab')).toBe('building');
    await expect.poll(() => row(page, 'Clients', 'Northgate').getAttribute('aria-pressed')).toBe('true');
    await column(page, 'Buildings').getByText('This client has no buildings yet.').waitFor();

    await page.getByRole('button', { name: 'Add Building', exact: true }).click();
    await page.getByText('Building name is required').waitFor();
    await page.getByLabel('Building Name').fill('Harbour House');
    await page.getByRole('button', { name: 'Add Building', exact: true }).click();
    await page.getByText('Building added successfully').waitFor();
    await expect.poll(() => row(page, 'Buildings', 'Harbour').getAttribute('aria-pressed')).toBe('true');
    await column(page, 'Floors').getByText('This building has no floors yet.').waitFor();

    for (const [floors, sentence] of [
      ['', 'At least one floor is required'],
      ['0', 'At least one floor is required'],
      ['101', 'Maximum of 100 floors allowed'],
    ] as const) {
      await page.getByLabel('Number of Floors').fill(floors);
      await page.getByRole('button', { name: 'Add Floors', exact: true }).click();
      await page.getByText(sentence).waitFor();
    }
    expect(await page.getByText(/^Failed to add/).count()).toBe(0);
    await page.getByLabel('Number of Floors').fill('22');
    await page.getByLabel('Include basement').check();
    await page.getByRole('button', { name: 'Add Floors', exact: true }).click();
    await page.getByText('23 floor(s) added successfully').waitFor();
    await expect
      .poll(() => column(page, 'Floors').getByRole('listitem').first().textContent())
      .toContain('21st Floor');
    await page.getByLabel('Number of Floors').fill('3');
    await page.getByRole('button', { name: 'Add Floors', exact: true }).click();
    await page.getByText('No new floors to add. All specified floors already exist.').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Data refreshed').waitFor();
  });

  test('says what hangs below before it deletes; the archive gives it back', async () => {
    const client = await createClient(server.services, { name: 'Meridian Offices' });
    const { id } = await api.locations.createBuilding.mutate({
      ...operation(),
      clientId: client.id,
      name: 'Meridian Court',
      floors: 2,
    });
    const page = await setting.window(admin);
    await page.goto(`/locations?client=${client.id}&building=${id}`);
    await page.getByRole('button', { name: 'Actions for Meridian Court' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByText('Are you sure you want to delete this building? This will delete all associated floors.')
      .waitFor();
    await page.getByText('It has 2 floor(s).').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Building deleted successfully').waitFor();
    await expect.poll(() => param(page, 'building')).toBeNull();

    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore Meridian Court' }).click();
    await page.getByText('Building restored successfully').waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'Buildings', 'Meridian Court').waitFor();

    await page.getByRole('button', { name: 'Actions for Meridian Offices' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Client Name').fill('Meridian Group');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Client renamed successfully').waitFor();
    await page.getByRole('button', { name: 'Actions for Meridian Group' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByText(
        'Are you sure you want to delete this client? This will delete all associated buildings and floors.',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Client deleted successfully').waitFor();
  });

  test('is for looking only without the permissions to add and edit', async () => {
    const mine = await createBuilding(server.services, { name: 'Viewed House' });
    const viewer = await createPerson(server.services, { role: 'viewer', buildings: [mine.id] });
    const page = await setting.window(viewer);
    await page.goto('/locations');
    await column(page, 'Clients').getByRole('listitem').first().waitFor();
    expect(await column(page, 'Clients').getByRole('listitem').count()).toBe(1);
    expect(await page.getByRole('heading', { name: 'Add New Locations' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Actions for|Archive/ }).count()).toBe(0);
    await page.goto('/add-location');
    await page.waitForURL('**/dashboard');
  });
});

describe('two windows', () => {
  test('a new building is in the other window at once, and an archived one leaves it with its issues', async () => {
    const client = await createClient(server.services, { name: 'Live Estates' });
    const { id } = await api.locations.createBuilding.mutate({
      ...operation(),
      clientId: client.id,
      name: 'Live One',
    });
    const issue = { id: uuidv7(), buildingId: id, title: 'The lift is stuck' };
    await api.issues.create.mutate({ ...operation(), ...issue });
    const manager = await createPerson(server.services, { role: 'manager', buildings: [id] });
    const places = await setting.window(admin);
    const adminIssues = await setting.window(admin);
    const managerIssues = await setting.window(manager);
    await places.goto(`/locations?client=${client.id}`);
    await adminIssues.goto('/building-issues?building=all');
    await managerIssues.goto('/building-issues?building=all');
    await row(places, 'Buildings', 'Live One').waitFor();
    for (const page of [adminIssues, managerIssues]) await page.getByText(issue.title).first().waitFor();

    const second = { ...operation(), clientId: client.id, name: 'Live Two', floors: 3 };
    const { id: secondId } = await api.locations.createBuilding.mutate(second);
    await row(places, 'Buildings', 'Live Two').getByText('3 floor(s)').waitFor();
    await api.locations.addFloors.mutate({ ...operation(), buildingId: secondId, floors: 5 });
    await row(places, 'Buildings', 'Live Two').getByText('5 floor(s)').waitFor();

    await api.locations.removeBuilding.mutate({ ...operation(), id });
    await row(places, 'Buildings', 'Live One').waitFor({ state: 'detached' });
    for (const page of [adminIssues, managerIssues]) {
      await page.getByText(issue.title).first().waitFor({ state: 'detached' });
    }
    await api.locations.restoreBuilding.mutate({ ...operation(), id });
    await row(places, 'Buildings', 'Live One').waitFor();
    for (const page of [adminIssues, managerIssues]) await page.getByText(issue.title).first().waitFor();
  });
});

describe('Add Building', () => {
  test('takes client, name, address and floors in one go', async () => {
    await createClient(server.services, { name: 'Priory Homes' });
    const page = await setting.window(admin);
    await page.goto('/add-building');
    await page.getByRole('button', { name: 'Add Building', exact: true }).click();
    await page.getByText('Client is required').waitFor();
    await choose(page, /^Client: /, 'Priory Homes');
    await page.getByLabel('Building Name').fill('Priory Lodge');
    await page.getByLabel('Number of Floors').fill('2');
    await page.getByRole('button', { name: 'Add Building', exact: true }).click();
    await page.getByText('Building added successfully').waitFor();
    await page.getByRole('link', { name: 'View in Locations' }).click();
    await column(page, 'Floors').getByText('1st Floor').waitFor();
  });
});
