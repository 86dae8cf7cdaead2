import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { startTestProvider, type TestProvider } from '#tests/support/sign-in/oidc-provider.ts';

// The organisation's sign-in as administrators see it, and how they allow it for a person.

let provider: TestProvider;
let setting: WebSetting;
let admin: TestPerson;

beforeAll(async () => {
  provider = await startTestProvider();
  const signIn = { ...SIGN_IN_DEFAULTS, providers: [provider.settings] };
  setting = await createWebSetting({ signIn });
  provider.serve(setting.server.url);
  admin = await createPerson(setting.server.services, { role: 'admin' });
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await provider.stop();
});

test('an account is allowed, linked by the next sign-in, seen live, and unlinked', async () => {
  const email = 'hana@harbour.example';
  const names = { firstName: 'Hana', lastName: 'Ito' };
  await createPerson(setting.server.services, { role: 'viewer', email, password: TEST_PASSWORD, ...names });
  const page = await setting.open(admin, '/user-management');
  await page.getByRole('button', { name: 'Actions for Hana Ito' }).click();
  await page.getByRole('menuitem', { name: 'Organisation’s accounts' }).click();
  await page.getByText('Not linked').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Allowed: is linked by the next sign-in there').waitFor();

  provider.accounts.set('hana', { email, email_verified: true });
  provider.as = 'hana';
  const phone = await setting.window(null);
  await phone.goto('/auth/login');
  await phone.getByRole('button', { name: 'Sign in with Harbour Group' }).click();
  await phone.waitForURL('**/dashboard');
  await page.getByText('Linked by an administrator’s permission').waitFor();

  await page.getByRole('button', { name: 'Unlink Harbour Group' }).click();
  const question = page.getByRole('dialog', { name: 'Unlink Harbour Group?' });
  await question.getByText('Hana Ito can no longer sign in with Harbour Group').waitFor();
  await question.getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('Not linked').waitFor();
  await phone.waitForURL('**/auth/login');
});

test('Settings says how people sign in, and what to enter at the provider', async () => {
  const page = await setting.open(admin, '/settings');
  await page.getByText('People sign in with your organisation’s accounts.').waitFor();
  await page.getByText('/sign-in/harbour/callback').waitFor();
});
