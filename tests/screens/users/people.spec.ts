import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openAs } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createTestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let browser: Browser;
let admin: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server, browser } = setting);
  await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

async function openLive(person: TestPerson, path: string): Promise<Page> {
  const page = await setting.window(person);
  await page.goto(path);
  await page.locator('[data-live=live]').waitFor();
  return page;
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await cardOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('what one administrator does, seen by the person and by another administrator', () => {
  test('a session that is ended closes its window, and the list says which device it was', async () => {
    const name = 'Omar Operative';
    const omar = await createPerson(server.services, {
      role: 'operative',
      firstName: 'Omar',
      lastName: 'Operative',
    });
    const his = await openLive(omar, '/dashboard');
    const mine = await openLive(admin, '/user-management');
    await choose(mine, name, 'Sessions');
    await mine.getByRole('button', { name: /^End session on/ }).click();
    await mine.getByText('Session ended').waitFor();
    await his.waitForURL('**/auth/login');
    await mine.getByText('Not signed in anywhere.').waitFor();
    for (const page of [his, mine]) await page.context().close();
  });

  test('the last administrator stays, and says why', async () => {
    const page = await openLive(admin, '/user-management');
    await cardOf(page, 'Ada Admin').getByLabel('Role').selectOption('viewer');
    await page.getByText('The last administrator cannot be given another role.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => cardOf(page, 'Ada Admin').getByLabel('Role').inputValue()).toBe('admin');
  });
});

describe('one’s own account', () => {
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
