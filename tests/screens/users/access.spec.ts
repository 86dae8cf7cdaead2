import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { card, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

let setting: WebSetting;
let here: TestBuilding;
let there: TestBuilding;
let administrator: TestClient;

beforeAll(async () => {
  setting = await createWebSetting();
  const { server } = setting;
  here = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  there = await createBuilding(server.services, { name: 'Mill Lane Studios', code: 'MIL' });
  const admin = await createPerson(server.services, { role: 'admin' });
  administrator = createTestClient(server.url, await signInAs(server, admin));
  await reportIssues(server, admin, here, [{ title: 'Lift 2 stuck' }]);
  await reportIssues(server, admin, there, [{ title: 'Studio 6 without heating' }]);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const person = (role: Role, ...buildings: TestBuilding[]) =>
  createPerson(setting.server.services, { role, buildings: buildings.map(({ id }) => id) });
const access = ({ id: userId }: TestPerson, { id: buildingId }: TestBuilding) => ({
  operationId: uuidv7(),
  userId,
  buildingId,
});

describe('a person without a building', () => {
  test('finds nothing at all without any, and is told whom to ask', async () => {
    const page = await setting.open(await person('viewer'), '/building-issues');
    await page.getByText('No buildings available. Please contact your administrator.').waitFor();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: "You don't have access to any buildings yet" }).waitFor();
    await page.goto('/dashboard?report=');
    const dialog = page.getByRole('dialog', { name: 'Report Building Issue' });
    await dialog.getByText('No buildings available. Please contact your administrator.').waitFor();
  });
});

describe('with the page open', () => {
  test('details that are open close their content with the building', async () => {
    const manager = await person('manager', here, there);
    const page = await setting.open(manager, '/building-issues?building=all');
    await live(page);
    const details = await openDetails(page, 'Studio 6');
    expect(await details.getByLabel('Title').inputValue()).toBe('Studio 6 without heating');
    await administrator.users.revoke.mutate(access(manager, there));
    await page.getByText('Studio 6').first().waitFor({ state: 'detached' });
    await page.getByText("This issue no longer exists, or you don't have access to it.").waitFor();
  });

  test('granted access brings the cards without a reload', async () => {
    const manager = await person('manager', here);
    const page = await setting.open(manager, '/building-issues');
    await live(page);
    await card(page, 'Open', 'Lift 2 stuck').waitFor();
    await administrator.users.grant.mutate(access(manager, there));
    await page.getByRole('button', { name: /^Building:/ }).click();
    await page.getByRole('option', { name: 'All My Sites' }).click();
    await card(page, 'Open', 'Studio 6').waitFor();
  });
});
