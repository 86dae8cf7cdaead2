import { beforeAll, describe, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';

const EMAIL = 'ada@example.com';

const setting = setUpWebSetting();
let building: TestBuilding;
let ada: TestPerson;

beforeAll(async () => {
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

/** A gate that holds requests until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('the sign-in form', () => {
  test('waits with its fields locked, and survives a network that fails', async () => {
    const page = await setting.open(null, '/auth/login');
    const { opened, open } = gate();
    await page.route(/session\.signIn/, async (route) => {
      await opened;
      await route.abort();
    });
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
    expect(await page.getByLabel('Email').isDisabled()).toBe(true);
    expect(await page.getByLabel('Password').isDisabled()).toBe(true);
    open();
    await page.getByText('Login failed').waitFor();
    await page.getByText('An unexpected error occurred during login.').waitFor();
    // The typed values are kept for the next attempt.
    expect(await page.getByLabel('Email').inputValue()).toBe(EMAIL);
    await page.unroute(/session\.signIn/);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Welcome back', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Welcome back, Ada!' }).waitFor();
  });

  test('signs in for longer than the browser runs', async () => {
    const page = await setting.open(null, '/auth/login');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');
    // Persistent cookies are enough to stay signed in after the browser is closed.
    const kept = (await page.context().cookies()).filter(({ expires }) => expires > Date.now() / 1000 + 3600);
    expect(kept.every(({ httpOnly }) => httpOnly)).toBe(true);
    await setting.closeWindows();
    const next = await setting.open(null, 'about:blank');
    await next.context().addCookies(kept);
    await next.goto('/building-issues');
    await next.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
  });
});

describe('a signed-in person', () => {
  test('who cannot sign out, on the server or on the device, is told so, and stays', async () => {
    const page = await setting.open(ada, '/dashboard');
    await live(page);
    await page.evaluate(() => {
      const refuse = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
      Storage.prototype.setItem = refuse;
      CacheStorage.prototype.open = refuse;
    });
    await page.route(/session\.signOut/, (route) => route.abort());
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Failed to sign out. Please try again.').waitFor();
    await page.getByRole('heading', { name: 'Welcome back, Ada!' }).waitFor();
  });

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

describe('while the session is not known yet', () => {
  test('a spinner shows, and the page asked for comes after it', async () => {
    const page = await setting.open(ada, 'about:blank');
    const { opened, open } = gate();
    await page.route(/session\.me/, async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto('/building-issues');
    await page.getByRole('status').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/building-issues');
    open();
    await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
  });

  test('a server that cannot be reached is no reason to sign out: it is asked again', async () => {
    const page = await setting.open(ada, 'about:blank');
    await page.route(/session\.me/, (route) => route.abort());
    await page.goto('/building-issues');
    await page.getByText("The server can't be reached at the moment.").waitFor();
    await page.unroute(/session\.me/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
  });

  test('an address without a page says so to a visitor', async () => {
    const page = await setting.open(null, '/no/such/page');
    await page.getByRole('heading', { name: '404' }).waitFor();
    await page.getByText('Oops! Page not found').waitFor();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.getByRole('heading', { name: 'Lintel' }).waitFor();
    await page
      .getByText('Your trusted companion for building inspections and maintenance tracking')
      .waitFor();
  });
});

describe('the tab', () => {
  test('is named after the address, for a visitor too, and after a page that has a title of its own', async () => {
    const visitor = await setting.open(null, '/auth/login');
    await expect.poll(() => visitor.title()).toBe('Sign In · Lintel');
    await visitor.goto('/');
    await expect.poll(() => visitor.title()).toBe('Lintel');
    const page = await setting.open(ada, '/building-issues');
    await expect.poll(() => page.title()).toBe('Building Issues · Lintel');
    await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect.poll(() => page.title()).toBe('Welcome back, Ada! · Lintel');
    await page.getByRole('link', { name: 'Building Issues' }).first().click();
    await expect.poll(() => page.title()).toBe('Building Issues · Lintel');
  });
});
