import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { pages } from '#web/app/pages.ts';

const EMAIL = 'ada@example.com';

let setting: WebSetting;
let building: TestBuilding;
let ada: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  const { services } = setting.server;
  building = await createBuilding(services);
  ada = await createPerson(services, {
    role: 'viewer',
    buildings: [building.id],
    email: EMAIL,
    password: TEST_PASSWORD,
    firstName: 'Ada',
  });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

describe('a signed-in person', () => {
  test.each(['/', '/auth/login'])(
    'who opens %s is led to the dashboard, and Back does not lead into a loop',
    async (path) => {
      const page = await setting.open(ada, '/building-issues');
      await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
      await page.goto(path);
      await page.waitForURL('**/dashboard');
      await page.goBack();
      await page.waitForURL('**/building-issues');
    },
  );

  test('finds the unauthorized page with its words and its two ways on', async () => {
    const page = await setting.open(ada, '/unauthorized');
    await page.getByRole('heading', { name: 'Unauthorized Access' }).waitFor();
    await page
      .getByText(
        "You don't have permission to access this page. If you believe this is an error, please contact the administrator.",
      )
      .waitFor();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/unauthorized');
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByText('Logged out').waitFor();
    await page.getByText('You have been signed out successfully.').waitFor();
    await page.waitForURL('**/auth/login');
    // After a deliberate sign-out, the next sign-in does not return to the page that was left.
    expect(await page.evaluate(() => history.state?.usr ?? null)).toBe(null);
  });
});

describe('the tab', () => {
  const open = Object.values(pages).filter(
    ({ access, path }) => access === 'public' && !path.includes(':') && path !== pages.notFound.path,
  );

  test.each([...open, { ...pages.notFound, path: '/no/such/page' }])(
    'of $path is named as the registry says',
    async ({ path, title }) => {
      const page = await setting.open(null, path);
      await expect.poll(() => page.title()).toBe(title === null ? 'Lintel' : `${title} · Lintel`);
    },
  );

  test('follows the address, and a page that has a title of its own', async () => {
    const page = await setting.open(ada, '/building-issues');
    await expect.poll(() => page.title()).toBe('Building Issues · Lintel');
    await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect.poll(() => page.title()).toBe('Welcome back, Ada! · Lintel');
    await page.getByRole('link', { name: 'Building Issues' }).first().click();
    await expect.poll(() => page.title()).toBe('Building Issues · Lintel');
  });
});
