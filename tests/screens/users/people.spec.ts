import { sql } from 'drizzle-orm';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { openAs } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createTestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { choosePassword } from '#tests/support/screens/accounts-screen.ts';
import { cardOf, choose, openLive } from '#tests/support/screens/people-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;
let browser: Browser;
let admin: TestPerson;

beforeAll(async () => {
  ({ server, browser } = setting);
  await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});

describe('what one administrator does, seen by the person and by another administrator', () => {
  test('a session that is ended closes its window, and the list says which device it was', async () => {
    const name = 'Omar Operative';
    const omar = await createPerson(server.services, {
      role: 'operative',
      firstName: 'Omar',
      lastName: 'Operative',
    });
    const his = await openLive(setting, omar, '/dashboard');
    const mine = await openLive(setting, admin, '/user-management');
    await choose(mine, name, 'Sessions');
    await mine.getByRole('button', { name: /^End session on/ }).click();
    await mine.getByText('Session ended').waitFor();
    await his.waitForURL('**/auth/login');
    await mine.getByText('Not signed in anywhere.').waitFor();
    for (const page of [his, mine]) await page.context().close();
  });

  test('the last administrator stays, and says why', async () => {
    const page = await openLive(setting, admin, '/user-management');
    await cardOf(page, 'Ada Admin').getByLabel('Role').selectOption('viewer');
    await page.getByText('The last administrator cannot be given another role.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => cardOf(page, 'Ada Admin').getByLabel('Role').inputValue()).toBe('admin');
  });
});

describe('one’s own account', () => {
  test('a new name reaches the person’s other windows', async () => {
    const person = await createPerson(server.services, {
      role: 'viewer',
      firstName: 'Vera',
      lastName: 'Viewer',
    });
    const other = await openLive(setting, person, '/dashboard');
    const one = await setting.open(person, '/account');
    await one.getByLabel('First name').fill('Nova');
    await one.getByRole('button', { name: 'Save name' }).click();
    await one.getByText('Your name has been changed').waitFor();

    await other.getByRole('button', { name: 'User menu' }).click();
    await other.getByText('Nova Viewer').waitFor();
  });

  test('"Forgot password?" says whom to ask where no mail is configured', async () => {
    const page = await setting.window(null);
    await page.goto('/auth/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page
      .getByText("This installation doesn't send email. Please ask an administrator for a link.")
      .waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
  });
});

describe('disciplines', () => {
  test('and places are closed, each with its sentence, during set-up', async () => {
    const empty = await createTestDatabase();
    const fresh = await startTestServer(empty);
    const first = await createPerson(fresh.services, { role: null });
    const page = await openAs(browser, fresh, first);
    await page.goto('/user-management');
    await page
      .getByText(
        "You don't have admin privileges yet. You can assign yourself admin role below to get full access.",
      )
      .waitFor();
    await page.getByRole('tab', { name: 'Disciplines' }).click();
    await page.getByText("You don't have permission to manage disciplines").waitFor();
    await page.getByRole('tab', { name: 'Locations' }).click();
    await page.getByText('Only administrators can manage this.').waitFor();
    await page.context().close();
    await fresh.stop();
    await empty.drop();
  });
});

test('what is refused is said in its form: a common password, a used link, a wrong password, a taken name', async () => {
  const client = createTestClient(server.url, await signInAs(server, admin));
  const invited = { email: 'ines@example.com', firstName: 'Ines', lastName: 'Invited' };
  const rights = { role: 'viewer' as const, buildingIds: [] };
  const ids = { operationId: uuidv7(), id: uuidv7() };
  const { token } = await client.users.invite.mutate({ ...ids, ...invited, ...rights });
  const page = await setting.open(null, `/invite/${token}`);
  await page.getByLabel('New password').fill('password1');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('This password is too common. Please choose another.').waitFor();
  await choosePassword(page);
  await page.goto(`/invite/${token}`);
  await page.getByText('This link is no longer valid.').waitFor();

  await page.goto('/account');
  await page.getByLabel('Current password').fill('not-it');
  await page.getByLabel('New password', { exact: true }).fill('another-password-of-my-own');
  await page.getByLabel('New password again').fill('another-password-of-my-own');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This is not your current password').waitFor();

  const discipline = { operationId: uuidv7(), id: uuidv7(), name: 'Fire Safety' };
  await client.documents.disciplines.add.mutate(discipline);
  const mine = await openLive(setting, admin, '/user-management?tab=disciplines');
  await mine.getByRole('button', { name: 'Add Discipline' }).first().click();
  const dialog = mine.getByRole('dialog');
  await dialog.getByLabel('Discipline Name').fill('fire safety');
  await dialog.getByRole('button', { name: 'Add Discipline' }).click();
  await dialog.getByText('A discipline with this name already exists').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'hidden' });
});

test('500 people and 2,000 buildings: few cards on the page, a client granted whole', async () => {
  const big = await createTestDatabase();
  const large = await startTestServer(big);
  const { db } = large.services;
  const boss = await createPerson(large.services, { role: 'admin', firstName: 'Zoe', lastName: 'Boss' });
  await db.execute(sql`insert into clients (id, name, created_at)
    select gen_random_uuid(), 'Client ' || n, now() from generate_series(1, 40) n`);
  await db.execute(sql`insert into buildings (id, client_id, name, code, created_at)
    select gen_random_uuid(), c.id, c.name || ' Site ' || n, upper(replace(c.name, ' ', '')) || '-' || n, now()
    from clients c, generate_series(1, 50) n`);
  await db.execute(sql`insert into profiles (id, email, first_name, last_name, created_at)
    select gen_random_uuid(), 'p' || n || '@example.com', 'Person', 'No' || n, now() - interval '1 day' * n
    from generate_series(1, 500) n`);
  const page = await openAs(browser, large, boss);
  await page.goto('/user-management');
  await page.locator('[data-live=live]').waitFor();
  await cardOf(page, 'Zoe Boss').getByText('Administrators have access to every building.').waitFor();
  expect(await page.getByRole('article').count()).toBeLessThan(20);
  await page.getByRole('searchbox', { name: 'Search users...' }).fill('p499@');
  const card = cardOf(page, 'Person No499');
  await card.getByRole('button', { name: /^Client:/ }).click();
  await page.getByPlaceholder('Search clients...').fill('Client 7');
  await page.getByRole('option', { name: 'Client 7', exact: true }).click();
  await card.getByRole('button', { name: 'Grant all buildings of this client (50)' }).click();
  await page.getByText('Location access granted successfully').waitFor();
  await card.getByText('50 of 2000').waitFor();
  await card.getByRole('button', { name: /^Client:/ }).click();
  await page.getByRole('option', { name: 'All clients' }).click();
  await card.getByRole('button', { name: 'Grant all buildings (1950)' }).click();
  await card.getByText('2000 of 2000').waitFor();
  await page.context().close();
  await large.stop();
  await big.drop();
});
