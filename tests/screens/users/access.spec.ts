import { beforeAll, describe, expect, test } from 'vitest';
import { resetPassword } from '#server/boot/operator.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { card, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

const setting = setUpWebSetting();
let here: TestBuilding;
let there: TestBuilding;
let administrator: TestClient;

beforeAll(async () => {
  const { server } = setting;
  here = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  there = await createBuilding(server.services, { name: 'Mill Lane Studios', code: 'MIL' });
  const admin = await createPerson(server.services, { role: 'admin' });
  administrator = createTestClient(server.url, await signInAs(server, admin));
  await reportIssues(server, admin, here, [{ title: 'Lift 2 stuck' }]);
  await reportIssues(server, admin, there, [{ title: 'Studio 6 without heating' }]);
});

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
  test('access that is revoked takes the cards away, and access that is granted brings them', async () => {
    const viewer = await person('viewer', here, there);
    const page = await setting.open(viewer, '/building-issues?building=all');
    await card(page, 'Open', 'Studio 6').waitFor();
    await live(page);
    await page.getByText('2 issue(s)').waitFor();

    await administrator.users.revoke.mutate(access(viewer, there));
    await page.getByText('Studio 6').first().waitFor({ state: 'detached' });
    await page.getByText('Your access to some buildings has been removed.').waitFor();
    await page.getByText('1 issue(s)').waitFor();
    await card(page, 'Open', 'Lift 2 stuck').waitFor();

    await administrator.users.grant.mutate(access(viewer, there));
    await page.getByText('You have been given access to more buildings.').waitFor();
    await page.goto('/building-issues?building=all');
    await card(page, 'Open', 'Studio 6').waitFor();
  });

  test('another role changes the navigation and the buttons, and says so', async () => {
    const viewer = await person('viewer', here);
    const page = await setting.open(viewer, '/building-issues');
    await live(page);
    const handle = card(page, 'Open', 'Lift 2 stuck').getByRole('button', { name: /^Move HAR-/ });
    const setRole = (role: Role) =>
      administrator.users.setRole.mutate({ operationId: uuidv7(), userId: viewer.id, role });
    await card(page, 'Open', 'Lift 2 stuck').waitFor();
    expect(await handle.count()).toBe(0);
    await setRole('manager');
    await page.getByText('Your role is now Manager. This page has changed to match.').waitFor();
    await handle.waitFor();
    await setRole('admin');
    await page.getByText('Your role is now Admin. This page has changed to match.').waitFor();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'User Management' }).waitFor();
  });

  test('a session that was ended elsewhere leads to the sign-in page, which leads back', async () => {
    const { services } = setting.server;
    const password = 'a-long-and-rare-one';
    const email = 'vera@example.com';
    const viewer = await createPerson(services, { role: 'viewer', buildings: [here.id], email, password });
    const page = await setting.open(viewer, '/building-issues?view=list');
    await live(page);
    // Simulates an operator's reaction to a stolen phone: all sessions end.
    await resetPassword(services, viewer.id, TEST_PASSWORD);
    services.sequencer.schedule();
    await page.waitForURL('**/auth/login');
    await page.getByText('Your session has ended. Please sign in again.').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/building-issues?view=list');
    await page.getByRole('row').filter({ hasText: 'Lift 2 stuck' }).waitFor();
  });

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
});
