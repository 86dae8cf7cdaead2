import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { openAs } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createTestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { choose, column, param, row } from '#tests/support/screens/locations-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A request may ask for other things, too.
const CLIENTS = /trpc\/[^?]*locations\.listClients/;

const setting = setUpWebSetting();
let server: TestServer;
let browser: Browser;
let admin: TestPerson;
let api: TestClient;

beforeAll(async () => {
  ({ server, browser } = setting);
  admin = await createPerson(server.services, { role: 'admin' });
  api = createTestClient(server.url, await signInAs(server, admin));
});

const operation = () => ({ operationId: uuidv7() });

describe('Location Management', () => {
  test('deselects what is clicked again, and the address brings everything back', async () => {
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

  test('gives each list as a file, narrowed to what is shown', async () => {
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

  test('says so when something fails, and tries again', async () => {
    await createClient(server.services, { name: 'Failing Estates' });
    const page = await setting.window(admin);
    await page.route(CLIENTS, (route) => route.abort());
    await page.goto('/locations');
    await page.getByText('Failed to load clients').waitFor();
    await page.unroute(CLIENTS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await column(page, 'Clients').getByRole('listitem').first().waitFor();
  });

  test('says so when nothing could be refreshed', async () => {
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
});

describe('what was just added', () => {
  test('is selected and in sight, beyond the loaded part of its list and over a search', async () => {
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
    await row(page, 'Clients', 'Zeta').getByText('1 building').waitFor();
    expect(param(page, 'bq')).toBeNull();
    await page.context().close();
    await alone.stop();
    await many.drop();
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
    await row(places, 'Buildings', 'Live Two').getByText('3 floors').waitFor();
    await api.locations.addFloors.mutate({ ...operation(), buildingId: secondId, floors: 5 });
    await row(places, 'Buildings', 'Live Two').getByText('5 floors').waitFor();

    await api.locations.removeBuilding.mutate({ ...operation(), id });
    await row(places, 'Buildings', 'Live One').waitFor({ state: 'detached' });
    for (const page of [adminIssues, managerIssues]) {
      await page.getByText(issue.title).first().waitFor({ state: 'detached' });
    }
    await api.locations.restoreBuilding.mutate({ ...operation(), id });
    await row(places, 'Buildings', 'Live One').waitFor();
    for (const page of [adminIssues, managerIssues]) await page.getByText(issue.title).first().waitFor();
  });

  test('a chosen client that another window puts away is said to be gone', async () => {
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

  test('a picker that stands open gets the new building, and loses the archived one', async () => {
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
});

describe('a floor', () => {
  test('is named, put away and brought back, and the other window shows it at once', async () => {
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

    await page.getByLabel('Number of Floors').fill('3');
    await page.getByRole('button', { name: 'Add Floors', exact: true }).click();
    await page.getByText('No new floors to add. All specified floors already exist.').waitFor();

    await choose(page, '1st Floor', 'Rename');
    await page.getByRole('dialog').getByText('Leave it empty for 1st Floor').waitFor();
    await page.getByRole('dialog').getByLabel('Floor Name').fill('Mezzanine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Floor renamed successfully').waitFor();
    await row(other, 'Floors', 'Mezzanine').getByText('1st Floor · Level 1').waitFor();
    await table.getByRole('cell', { name: 'Mezzanine' }).waitFor();

    await choose(page, 'Mezzanine', 'Delete');
    await page.getByText('Are you sure you want to delete this floor?').waitFor();
    await page.getByText('It has 1 asset.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Floor deleted successfully').waitFor();
    await row(other, 'Floors', 'Mezzanine').waitFor({ state: 'detached' });
    await row(other, 'Buildings', 'Storey House').getByText('2 floors').waitFor();

    await other.getByRole('button', { name: 'Archive' }).click();
    await other.getByText('Floor of Storey House').waitFor();
    await other.getByRole('button', { name: 'Restore Mezzanine' }).click();
    await other.getByText('Floor restored successfully').waitFor();
    await row(page, 'Floors', 'Mezzanine').waitFor();
  });
});

describe('Add New Location', () => {
  test('adds by three texts, says so twice, and takes the one sentence back after three seconds', async () => {
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
    await page.clock.pauseAt(Date.now() + 10_000);
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
  });

  test('says when there is nothing yet', async () => {
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

const WIDTHS = [
  ['at a desk', { viewport: { width: 1440, height: 900 } }],
  ['on a tablet', { viewport: { width: 1024, height: 1100 }, hasTouch: true, isMobile: true }],
] as const;
describe.each(WIDTHS)('%s', (where, options) => {
  test('no heading, tab or row changes its size or place when something is chosen', async () => {
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
