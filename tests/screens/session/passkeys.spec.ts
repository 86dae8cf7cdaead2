import { eq } from 'drizzle-orm';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sessions, userRoles } from '#db/schema/people.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import { atHostName } from '#tests/support/sign-in/passkeys.ts';

// Passkeys in a browser, whose authenticator is Chromium's virtual one. Managers need a second factor here.

const words = passkeyMessages;
let setting: WebSetting;
let origin: string;
let person: TestPerson;

beforeAll(async () => {
  const signIn = { ...SIGN_IN_DEFAULTS, secondFactor: ['manager' as const] };
  setting = await createWebSetting({ signIn });
  origin = atHostName(setting.server.url);
});
beforeEach(async () => {
  person = await createPerson(setting.server.services, { role: 'operative', password: TEST_PASSWORD });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

type Phone = { page: Page; refuse(isRefused: boolean): Promise<void>; session: CDPSession };

/** A window at the sign-in page, with an authenticator that verifies the person by fingerprint. */
async function openPhone(): Promise<Phone> {
  const page = await setting.window(null);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(`${origin}/auth/login`);
  return {
    page,
    session,
    async refuse(isRefused) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused });
    },
  };
}

async function signInByPassword(page: Page): Promise<void> {
  await fillIn(page, person.email, TEST_PASSWORD);
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${origin}/account`);
  await page.getByRole('button', { name: words.add }).click();
  const dialog = page.getByRole('dialog', { name: words.addTitle });
  await dialog.getByLabel(words.name).fill(name);
  await dialog.getByRole('button', { name: words.add }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: words.title }).getByText(name).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await setting.server.services.sessions.endAllForUser(person.id);
  await page.goto(`${origin}/auth/login`);
  await page.getByRole('button', { name: signInMessages.passkey }).waitFor();
}

test('a passkey is added, renamed, used for the next sign-in, and removed', async () => {
  const { page } = await openPhone();
  await signInByPassword(page);
  await addPasskey(page, 'Blue phone');
  await page.getByRole('button', { name: `${words.rename} Blue phone` }).click();
  const rename = page.getByRole('dialog', { name: words.rename });
  await rename.getByLabel(words.name).fill('Work phone');
  await rename.getByRole('button', { name: words.rename }).click();
  await page.getByRole('button', { name: `${words.remove} Work phone` }).waitFor();

  await signOut(page);
  await page.getByRole('button', { name: signInMessages.passkey }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));

  await page.goto(`${origin}/account`);
  await page.getByRole('button', { name: `${words.remove} Work phone` }).click();
  const question = page.getByRole('dialog', { name: words.removeQuestion });
  await question.getByRole('button', { name: words.remove }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: words.title }).waitFor({ state: 'detached' });
});

test('a fingerprint that does not match signs nobody in, and a second passkey on the same device is not made', async () => {
  const { page, refuse } = await openPhone();
  await signInByPassword(page);
  await addPasskey(page, 'Blue phone');
  await page.getByRole('button', { name: words.add }).click();
  const dialog = page.getByRole('dialog', { name: words.addTitle });
  await dialog.getByRole('button', { name: words.add }).click();
  await page.getByText(words.alreadyHere).waitFor();

  await signOut(page);
  await refuse(true);
  await page.getByRole('button', { name: signInMessages.passkey }).click();
  await page.getByText(words.cancelled).waitFor();
  await refuse(false);
  await page.getByRole('button', { name: signInMessages.passkey }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
});

test('a role that needs a second factor leads from the password to the passkey', async () => {
  const { page } = await openPhone();
  await signInByPassword(page);
  await addPasskey(page, 'Blue phone');
  await setting.server.services.sessions.endAllForUser(person.id);
  const promotion = { userId: person.id, role: 'manager', assignedAt: new Date().toISOString() };
  await setting.server.services.db.insert(userRoles).values(promotion);
  await page.goto(`${origin}/auth/login`);
  await fillIn(page, person.email, TEST_PASSWORD);
  await page.getByText(words.neededText).waitFor();
  await page.getByRole('button', { name: signInMessages.passkey }).click();
  await page.waitForURL('**/dashboard');
  await page.goto(`${origin}/account`);
  await page.getByText(words.onlyOne).waitFor();
  expect(await page.getByRole('button', { name: `${words.remove} Blue phone` }).count()).toBe(0);
});

test('a sensitive change is confirmed with the passkey', async () => {
  const { page } = await openPhone();
  await signInByPassword(page);
  await addPasskey(page, 'Blue phone');
  const authenticatedAt = new Date(Date.now() - 60 * 60_000).toISOString();
  await setting.server.services.db
    .update(sessions)
    .set({ authenticatedAt })
    .where(eq(sessions.userId, person.id));
  await page.getByRole('button', { name: `${words.remove} Blue phone` }).click();
  const question = page.getByRole('dialog', { name: words.removeQuestion });
  await question.getByRole('button', { name: words.remove }).click();
  const dialog = page.getByRole('dialog', { name: reauthenticationMessages.title });
  await dialog.getByRole('button', { name: reauthenticationMessages.passkey }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: words.title }).waitFor({ state: 'detached' });
});

test('at an IP address, where there are no passkeys, none is offered', async () => {
  const page = await setting.window(null);
  await page.goto('/auth/login');
  await page.getByLabel('Password').waitFor();
  expect(await page.getByRole('button', { name: signInMessages.passkey }).count()).toBe(0);
});
