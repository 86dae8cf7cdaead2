import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createTestClient, type TestClient } from '#tests/support/client.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestPerson,
} from '#tests/support/factories.ts';
import { openAs } from '#tests/support/pages.ts';
import { startTestServer, type TestServer } from '#tests/support/server.ts';
import { rare, sweep } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let server: TestServer;
let browser: Browser;
let admin: TestPerson;
let api: TestClient;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server, browser } = setting);
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

  rare('deselects what is clicked again, and the address brings everything back', async () => {
    const client = await createClient(server.services, { name: 'Albion Trust' });
    await createBuilding(server.services, { clientId: client.id, name: 'Albion School' });
    const page = await setting.window(admin);
    await page.goto('/locations');
    await row(page, 'Clients', 'Albion').click();
    await row(page, 'Buildings', 'Albion School').click();
    await expect.poll(() => param(page, 'tab')).toBe('floors');
    await page.reload();
    await expect.poll(() => row(page, 'Buildings', 'Albion').getAttribute('aria-pressed')).toBe('true');
    await row(page, 'Buildings', 'Albion School').click();
    await expect.poll(() => param(page, 'building')).toBeNull();
    await row(page, 'Clients', 'Albion').click();
    await expect.poll(() => param(page, 'client')).toBeNull();
    await page.goBack();
    await expect.poll(() => param(page, 'client')).toBe(client.id);
  });

  rare('gives each list as a file, narrowed to what is shown', async () => {
    const client = await createClient(server.services, { name: 'Paper Estates' });
    const { id } = await createBuilding(server.services, { clientId: client.id, name: 'Paper Mill' });
    const page = await setting.window(admin);
    await page.goto(`/locations?client=${client.id}&building=${id}&q=paper&bq=mill`);
    await row(page, 'Buildings', 'Paper Mill').waitFor();
    const narrowed = async (name: string) => {
      const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
      const url = new URL(href ?? '', server.url);
      return [url.pathname, JSON.parse(url.searchParams.get('filter') ?? '{}')];
    };
    expect(await narrowed('Export CSV')).toEqual([
      '/files/export/locations.csv',
      { clientId: client.id, search: 'mill' },
    ]);
    expect(await narrowed('Export clients CSV')).toEqual(['/files/export/clients.csv', { search: 'paper' }]);
    expect(await narrowed('Export floors CSV')).toEqual(['/files/export/floors.csv', { buildingId: id }]);
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

  rare('says so when something fails, and tries again', async () => {
    const page = await setting.window(admin);
    await page.route('**/trpc/locations.listClients**', (route) => route.abort());
    await page.goto('/locations');
    await page.getByText('Failed to load clients').waitFor({ timeout: 30_000 });
    await page.unroute('**/trpc/locations.listClients**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await column(page, 'Clients').getByRole('listitem').first().waitFor();
  });

  rare('says so when nothing could be refreshed', async () => {
    await createClient(server.services, { name: 'Fresh Estates' });
    const page = await setting.window(admin);
    await page.goto('/locations');
    await column(page, 'Clients').getByRole('listitem').first().waitFor();
    const refresh = page.getByRole('button', { name: 'Refresh' });
    const refreshed = page.getByText('Data refreshed');
    await refresh.click();
    await refreshed.waitFor();
    await refreshed.waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await refresh.click();
    await page.getByText('Failed to refresh').waitFor();
    await page.getByText("The server can't be reached at the moment.").waitFor();
    expect(await refreshed.count()).toBe(0);
    await page.context().setOffline(false);
    await refresh.click();
    await refreshed.waitFor();
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

describe('what was just added', () => {
  rare('is selected and in sight, beyond the loaded part of its list and over a search', async () => {
    const many = await createTestDatabase();
    const alone = await startTestServer(many);
    for (let n = 100; n <= 200; n += 1) await createClient(alone.services, { name: `Client ${n}` });
    const page = await openAs(browser, alone, await createPerson(alone.services, { role: 'admin' }));
    const isChosen = (list: string, name: string) =>
      expect.poll(() => row(page, list, name).getAttribute('aria-pressed')).toBe('true');
    await page.goto('/locations?q=Client&tab=client');
    await row(page, 'Clients', 'Client 100').waitFor();
    await page.getByLabel('Client Name').fill('Zeta');
    await page.getByRole('button', { name: 'Add Client', exact: true }).click();
    await isChosen('Clients', 'Zeta');
    expect(param(page, 'q')).toBeNull();

    await page.getByPlaceholder('Search buildings...').fill('nothing like it');
    await page.getByLabel('Building Name').fill('Zeta House');
    await page.getByRole('button', { name: 'Add Building', exact: true }).click();
    await isChosen('Buildings', 'Zeta House');
    await isChosen('Clients', 'Zeta');
    await row(page, 'Clients', 'Zeta').getByText('1 building(s)').waitFor();
    expect(param(page, 'bq')).toBeNull();
    await page.context().close();
    await alone.stop();
    await many.drop();
  });
});

describe('two windows', () => {
  rare('a chosen client that another window puts away is said to be gone', async () => {
    const client = await createClient(server.services, { name: 'Gone Estates' });
    await createBuilding(server.services, { clientId: client.id, name: 'Gone House' });
    const page = await setting.window(admin);
    await page.goto(`/locations?client=${client.id}`);
    await row(page, 'Buildings', 'Gone House').waitFor();
    await api.locations.removeClient.mutate({ ...operation(), id: client.id });
    await column(page, 'Buildings')
      .getByText("This no longer exists, or you don't have access to it.")
      .waitFor();
    await api.locations.restoreClient.mutate({ ...operation(), id: client.id });
    await row(page, 'Buildings', 'Gone House').waitFor();
  });

  rare('a picker that stands open gets the new building, and loses the archived one', async () => {
    const issues = await setting.window(admin);
    const places = await setting.window(admin);
    await createBuilding(server.services, { name: 'Open Court' });
    await issues.goto('/building-issues');
    await issues.getByRole('button', { name: 'Building: Select a building' }).click();
    await issues.getByLabel('Search buildings...').fill('Open ');
    const options = () => issues.getByRole('option').allTextContents();
    await expect.poll(options).toEqual(['Open Court']);
    await places.goto('/add-location');
    await places.getByLabel('Client', { exact: true }).fill('Open Estates');
    await places.getByLabel('Building Name').fill('Open House');
    await places.getByRole('button', { name: 'Save and Add New Location' }).click();
    await expect.poll(async () => (await options()).toSorted()).toEqual(['Open Court', 'Open House']);

    const { rows } = (await api.locations.listBuildings.query({ search: 'Open House' })).data;
    const { id = '' } = rows[0] ?? {};
    const issue = { id: uuidv7(), buildingId: id, title: 'A window is broken' };
    await api.issues.create.mutate({ ...operation(), ...issue });
    expect(await api.locations.removeBuilding.mutate({ ...operation(), id })).toMatchObject({
      outcome: 'archived',
    });
    await expect.poll(options).toEqual(['Open Court']);
  });

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

describe('a floor', () => {
  rare('is named, put away and brought back, and the other window shows it at once', async () => {
    const client = await createClient(server.services, { name: 'Storey Estates' });
    const place = { ...operation(), clientId: client.id, name: 'Storey House', floors: 3 };
    const { id: buildingId } = await api.locations.createBuilding.mutate(place);
    const floor = (await api.locations.listFloors.query({ buildingId })).data.find(
      ({ level }) => level === 1,
    );
    await api.assets.create.mutate({
      ...operation(),
      id: uuidv7(),
      buildingId,
      floorId: floor?.id ?? null,
      name: 'Storey Light',
      description: 'By the door',
    });
    const page = await setting.window(admin);
    const other = await setting.window(admin);
    const table = await setting.window(admin);
    const path = `/locations?client=${client.id}&building=${buildingId}`;
    await Promise.all([page.goto(path), other.goto(path)]);
    await table.goto(`/asset-management?building=${buildingId}`);
    await row(other, 'Floors', '1st Floor').waitFor();
    await table.getByRole('cell', { name: '1st Floor' }).waitFor();

    await page.getByRole('button', { name: 'Actions for 1st Floor' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByText('Leave it empty for 1st Floor').waitFor();
    await page.getByRole('dialog').getByLabel('Floor Name').fill('Mezzanine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Floor renamed successfully').waitFor();
    await row(other, 'Floors', 'Mezzanine').getByText('1st Floor · Level 1').waitFor();
    await table.getByRole('cell', { name: 'Mezzanine' }).waitFor();

    await page.getByRole('button', { name: 'Actions for Mezzanine' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Are you sure you want to delete this floor?').waitFor();
    await page.getByText('It has 1 asset(s).').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Floor deleted successfully').waitFor();
    await row(other, 'Floors', 'Mezzanine').waitFor({ state: 'detached' });
    await row(other, 'Buildings', 'Storey House').getByText('2 floor(s)').waitFor();

    await other.getByRole('button', { name: 'Archive' }).click();
    await other.getByText('Floor of Storey House').waitFor();
    await other.getByRole('button', { name: 'Restore Mezzanine' }).click();
    await other.getByText('Floor restored successfully').waitFor();
    await row(page, 'Floors', 'Mezzanine').waitFor();
  });
});

describe('Add New Location', () => {
  rare(
    'adds by three texts, says so twice, and takes the one sentence back after three seconds',
    async () => {
      const page = await setting.window(admin);
      await page.clock.install();
      await page.goto('/add-location');
      await page.getByText('Enter the details of the new location').waitFor();
      await page.getByRole('heading', { name: 'Location Information' }).waitFor();
      const submit = page.getByRole('button', { name: 'Save and Add New Location' });
      await submit.click();
      await page.getByText('Client is required').waitFor();
      await page.getByText('Building name is required').waitFor();
      await page.getByLabel('Client', { exact: true }).fill('A New Client');
      await page.getByLabel('Building Name').fill('Aardvark House');
      await page.getByLabel('Site Address').fill('1 First Street\nLeeds');
      await submit.click();
      const alert = page.getByText('Aardvark House has been added successfully.');
      await alert.waitFor();
      await page.getByText('Location added').waitFor();
      await page
        .getByText('Your building has been successfully added. You can add another one below.')
        .waitFor();
      await page.getByText('1 building(s) added so far').waitFor();
      expect(await page.getByLabel('Building Name').inputValue()).toBe('');
      await page.getByRole('cell', { name: 'Aardvark House' }).waitFor();
      await page.getByText(/^Showing \d+ location\(s\)$/).waitFor();
      await alert.waitFor({ state: 'detached' });

      // From here on the page's clock moves only when the test advances it.
      await page.clock.pauseAt(Date.now() + 1_000);
      await page.getByLabel('Client', { exact: true }).fill('A New Client');
      await page.getByLabel('Building Name').fill('Badger House');
      await submit.click();
      const second = page.getByText('Badger House has been added successfully.');
      await expect
        .poll(async () => {
          await page.clock.runFor(20);
          return second.isVisible();
        })
        .toBe(true);
      await page.clock.runFor(2_900);
      expect(await second.isVisible()).toBe(true);
      await page.clock.runFor(200);
      await second.waitFor({ state: 'detached' });
      await page.getByText('2 building(s) added so far').waitFor();
    },
  );

  rare('says when there is nothing yet', async () => {
    const empty = await createTestDatabase();
    const alone = await startTestServer(empty);
    const page = await openAs(browser, alone, await createPerson(alone.services, { role: 'admin' }));
    await page.goto('/add-location');
    await page.getByText('No locations have been added yet.').waitFor();
    await page.goto('/locations');
    await page.getByText('No clients yet.').waitFor();
    await page.context().close();
    await alone.stop();
    await empty.drop();
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

const WIDTHS = [
  ['at a desk', { viewport: { width: 1440, height: 900 } }],
  ['on a tablet', { viewport: { width: 1024, height: 1100 }, hasTouch: true, isMobile: true }],
] as const;
describe.each(sweep(WIDTHS, 1))('%s', (where, options) => {
  rare('no heading, tab or row changes its size or place when something is chosen', async () => {
    const client = await createClient(server.services, {
      name: `Estates ${where} and Quayside Residential Management Holdings`,
    });
    const other = await createClient(server.services, { name: `Zest Estates ${where}` });
    const building = await createBuilding(server.services, {
      name: `Bell Tower ${where}`,
      clientId: client.id,
    });
    const page = await setting.window(admin, options);
    await page.goto('/locations');
    await column(page, 'Clients').getByLabel('Search clients...').fill(`Estates ${where}`);
    await row(page, 'Clients', other.name).waitFor();
    await column(page, 'Buildings').getByText('Select a client to see its buildings.').waitFor();
    await expect.poll(() => column(page, 'Clients').getByRole('listitem').count()).toBe(2);

    const boxes = async () => {
      const found: Record<string, unknown> = {};
      for (const name of ['Clients', 'Buildings']) {
        found[name] = await column(page, name).locator('header').boundingBox();
      }
      found['Floors'] = await column(page, 'Floors').getByRole('heading').locator('..').boundingBox();
      for (const name of ['Add Client', 'Add Building', 'Add Floors']) {
        found[name] = await page.getByRole('tab', { name }).boundingBox();
      }
      for (const { name } of [client, other]) found[name] = await row(page, 'Clients', name).boundingBox();
      return found;
    };
    const before = await boxes();
    await row(page, 'Clients', client.name).hover();
    expect(await boxes()).toEqual(before);
    await row(page, 'Clients', client.name).click();
    await row(page, 'Buildings', building.name).waitFor();
    expect(await boxes()).toEqual(before);
    await row(page, 'Buildings', building.name).click();
    await column(page, 'Floors').getByRole('link', { name: 'Export floors CSV' }).waitFor();
    expect(await boxes()).toEqual(before);
  });
});
