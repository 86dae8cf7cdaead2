import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { profiles } from '#db/schema/people.ts';
import { LINK_LIFE_MS, makeAccountLink } from '#server/accounts/account-links.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import { startTestProvider, type TestProvider } from '#tests/support/sign-in/oidc-provider.ts';

// Signing in at the organisation's provider, as a person sees it.

let provider: TestProvider;
let setting: WebSetting;

beforeAll(async () => {
  provider = await startTestProvider();
  const signIn = { ...SIGN_IN_DEFAULTS, providers: [provider.settings] };
  setting = await createWebSetting({ signIn });
  provider.serve(setting.server.url);
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await provider.stop();
});

async function invited(email: string): Promise<void> {
  const { services } = setting.server;
  const person = await createPerson(services, {
    role: 'manager',
    email,
    firstName: 'Ada',
    lastName: 'Marsh',
  });
  const invitedAt = new Date().toISOString();
  await services.db.update(profiles).set({ invitedAt }).where(eq(profiles.id, person.id));
  const link = { userId: person.id, kind: 'invite', madeBy: null } as const;
  await services.db.transaction((tx) => makeAccountLink(tx, link, services.clock.now(), LINK_LIFE_MS.invite));
}

const through = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour Group' });

test('leads to the page that was asked for, and again after a sign-out without a connection', async () => {
  await invited('ada@harbour.example');
  provider.accounts.set('ada', { email: 'ada@harbour.example', email_verified: true });
  provider.as = 'ada';
  const page = await setting.window(null, { serviceWorkers: 'allow' });
  await page.goto('/building-issues?status=open');
  await page.waitForURL('**/auth/login');
  await through(page).click();
  await page.waitForURL('**/building-issues?status=open');
  await page.getByRole('button', { name: 'User menu' }).click();

  await page.context().setOffline(true);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/auth/login');
  await page.context().setOffline(false);
  await through(page).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('button', { name: 'User menu' }).waitFor();
});

test('says why it did not work, and links with the password', async () => {
  const email = 'grace@harbour.example';
  await createPerson(setting.server.services, { role: 'viewer', email, password: TEST_PASSWORD });
  const page = await setting.window(null);
  await page.goto('/auth/login');
  provider.as = undefined;
  await through(page).click();
  await page.getByText('Signing in with Harbour Group was cancelled.').waitFor();

  provider.accounts.set('grace', { email, email_verified: true });
  provider.as = 'grace';
  await through(page).click();
  await page
    .getByText('Sign in once with your password or passkey. From then on Harbour Group signs you in.')
    .waitFor();
  await page.getByRole('heading', { name: 'Link your account at Harbour Group' }).waitFor();
  expect(await through(page).count()).toBe(0);
  await fillIn(page, email, TEST_PASSWORD);
  await page.getByText('From now on you can sign in with Harbour Group.').waitFor();
});

test('after a sign-out the provider asks who it is, also after a reload and in a second window', async () => {
  await invited('edith@harbour.example');
  provider.accounts.set('edith', { email: 'edith@harbour.example', email_verified: true });
  provider.as = 'edith';
  const page = await setting.window(null);
  await page.goto('/auth/login');
  await through(page).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/auth/login');
  const second = await page.context().newPage();
  for (const window of [page, second]) {
    await window.goto('/auth/login');
    const start = window.waitForRequest(/\/sign-in\/harbour\/start/);
    await window.route('**/sign-in/harbour/start**', (route) => route.fulfill({ body: 'stopped' }));
    await through(window).click();
    expect(new URL((await start).url()).searchParams.get('fresh')).toBe('1');
  }
});

test('a made-up address shows no sentence', async () => {
  const page = await setting.window(null);
  await page.goto('/auth/login?problem=refused&provider=evil');
  await through(page).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
