import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { externalIdentities } from '#db/schema/identities.ts';
import { profiles, sessions } from '#db/schema/people.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { startTestProvider, type TestProvider } from '#tests/support/sign-in/oidc-provider.ts';

// An administrator whose session is an hour old is asked for credentials before a sensitive command.

let provider: TestProvider;
let setting: WebSetting;
let admin: TestPerson;

beforeAll(async () => {
  provider = await startTestProvider();
  const signIn = { ...SIGN_IN_DEFAULTS, providers: [provider.settings] };
  setting = await createWebSetting({ signIn });
  provider.serve(setting.server.url);
});
beforeEach(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin', password: TEST_PASSWORD });
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await provider.stop();
});

/** Opens User Management, an hour after the administrator has signed in. */
async function openPeople() {
  const page = await setting.open(admin, '/user-management');
  await page.locator('[data-live=live]').waitFor();
  const authenticatedAt = new Date(Date.now() - 60 * 60_000).toISOString();
  const { db } = setting.server.services;
  await db.update(sessions).set({ authenticatedAt }).where(eq(sessions.userId, admin.id));
  return { page, dialog: page.getByRole('dialog', { name: reauthenticationMessages.title }) };
}

test('an invitation waits behind the question, and is sent with the right password', async () => {
  const { page, dialog } = await openPeople();
  await page.getByRole('button', { name: userMessages.invite }).click();
  const invite = page.getByRole('dialog', { name: userMessages.invite });
  await invite.getByLabel('Email').fill('rhea@example.com');
  await invite.getByLabel('First name').fill('Rhea');
  await invite.getByLabel('Last name').fill('Stone');
  await invite.getByRole('button', { name: 'Invite', exact: true }).click();
  const password = dialog.getByLabel(reauthenticationMessages.password);
  await password.waitFor();
  expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
  await password.fill('not-the-password');
  await password.press('Enter');
  await dialog.getByText(accountMessages.passwordWrong).waitFor();
  await password.fill(TEST_PASSWORD);
  await password.press('Enter');
  await page.getByRole('dialog', { name: 'Invitation link' }).getByLabel('Link').waitFor();
  expect(await dialog.count()).toBe(0);
});

test('who closes the question has changed nothing, and may try again', async () => {
  const person = await createPerson(setting.server.services, {
    role: 'viewer',
    firstName: 'Vera',
    lastName: 'Viewer',
  });
  const { page, dialog } = await openPeople();
  await page.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  const question = page.getByRole('dialog', { name: /^Deactivate/ });
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await dialog.getByLabel(reauthenticationMessages.password).fill('half a pass');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(messages.common.notConfirmed).waitFor();
  const { db } = setting.server.services;
  const [row] = await db.select().from(profiles).where(eq(profiles.id, person.id));
  expect(row?.deactivatedAt).toBeNull();
});

test('the provider answers in a window of its own', async () => {
  const subject = `account-${admin.id}`;
  provider.accounts.set(subject, { email: admin.email, email_verified: true });
  provider.as = subject;
  await setting.server.services.db.insert(externalIdentities).values({
    ...{ id: uuidv7(), userId: admin.id, provider: 'harbour', subject, linkedBy: 'password' },
    createdAt: new Date().toISOString(),
  });
  await createPerson(setting.server.services, { role: 'viewer', firstName: 'Otto', lastName: 'Out' });
  const { page, dialog } = await openPeople();
  await page.getByRole('button', { name: 'Actions for Otto Out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await question.getByRole('button', { name: 'Sign out everywhere' }).click();
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: reauthenticationMessages.through('Harbour Group') }).click();
  await opened;
  await page.getByText(userMessages.signedOutEverywhere('Otto Out')).waitFor();
  expect(await dialog.count()).toBe(0);
});
