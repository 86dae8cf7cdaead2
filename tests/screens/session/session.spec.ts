import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
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
import { fillIn } from '#tests/support/screens/sign-in.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;
let building: TestBuilding;
let admin: TestPerson;

beforeAll(async () => {
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, {
    role: 'admin',
    email: 'ada@example.com',
    password: TEST_PASSWORD,
  });
});

const person = (role: Role) => createPerson(server.services, { role, buildings: [building.id] });

describe('what a person finds', () => {
  test('a person whose stored role is unknown finds every page closed but Sign Out', async () => {
    const stranger = await createPerson(server.services, { role: 'superuser', buildings: [building.id] });
    const page = await setting.window(stranger);
    for (const path of ['/dashboard', '/building-issues', '/user-management']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Unauthorized Access' }).waitFor();
    }
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/auth/login');
  });

  test.each([
    ['/user-management', 'viewer', "You don't have permission to access this feature."],
    ['/building-issues', 'operative', "You don't have permission to view building issues."],
  ] as const)('%s sends a %s to the dashboard and says why', async (path, role, sentence) => {
    const page = await setting.window(await person(role));
    await page.goto(path);
    await page.waitForURL('**/dashboard');
    await page.getByText('Access Denied').waitFor();
    await page.getByText(sentence).waitFor();
  });

  test('a role that is lost while the page is open closes it in place, and says so', async () => {
    const viewer = await person('viewer');
    const page = await setting.window(viewer);
    await page.goto('/building-issues');
    await page.locator('[data-live=live]').waitFor();
    const client = createTestClient(server.url, await signInAs(server, admin));
    await client.users.setRole.mutate({ operationId: uuidv7(), userId: viewer.id, role: 'operative' });
    await page.getByText('Your role is now Operative. This page has changed to match.').waitFor();
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/building-issues');
  });
});

describe('the landing page', () => {
  test('Learn More scrolls to what it does and changes neither address nor history', async () => {
    const page = await setting.window(null);
    await page.goto('/');
    const before = await page.evaluate(() => [location.href, history.length]);
    await page.getByRole('button', { name: 'Learn More' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('heading', { name: 'What it does' })
          .evaluate((node) => node.getBoundingClientRect().top),
      )
      .toBeLessThan(400);
    expect(await page.evaluate(() => [location.href, history.length])).toEqual(before);
  });
});

describe('signing in', () => {
  test('says what is wrong: at the field, with the focus there, or with the person', async () => {
    const page = await setting.window(null);
    await page.goto('/auth/login');
    await fillIn(page, 'not an address', '12345');
    await page.getByText('Please enter a valid email address').waitFor();
    await page.getByText('Password must be at least 6 characters').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await fillIn(page, 'ada@example.com', 'wrong-password');
    await page.getByText('Login failed').waitFor();
    await page.getByText(messages.session.wrongCredentials).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/login');
  });

  test('never leads to an address that is not ours', async () => {
    const page = await setting.window(null);
    await page.goto('/auth/login');
    await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example/x' }, idx: 0 }, ''));
    await page.reload();
    await fillIn(page, 'ada@example.com', TEST_PASSWORD);
    await page.waitForURL(`${server.url}/dashboard`);
  });
});

test('the page of the set-up opens, whichever is answered first: the session, or whether a set-up is needed', async () => {
  const page = await setting.window(null);
  const answered = page.waitForResponse(/session\.active/);
  const asked = page.waitForRequest(/session\.setupState/);
  await page.route(/\/trpc\/session\.active\?/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.route(/\/trpc\/session\.setupState\?/, async (route) => {
    await (await answered).finished();
    // The page has processed the first answer.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await route.continue();
  });
  await page.goto('/setup');
  await page.getByText('Lintel has been set up already. Please sign in.').waitFor();
});
