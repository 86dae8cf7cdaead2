import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { smtpMail } from '#server/adapters/mail/smtp.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const GOOD = 'a-password-of-my-own';
const HEADER = 'Email,First Name,Last Name,Role,Buildings';

let setting: WebSetting;
let admin: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  admin = await createPerson(setting.server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function importPerson(page: Page, email: string): Promise<void> {
  // Wait for this kind's file input: the previous kind's input would be removed together with the file.
  await page.getByText('An address that no one else uses').waitFor();
  const buffer = Buffer.from(`${HEADER}\n${email},Ida,Imported,viewer,`);
  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByText(importMessages.ready(1)).waitFor();
  await page.getByRole('button', { name: 'Import 1 row(s)' }).click();
  await page.getByRole('heading', { name: importMessages.done(1) }).waitFor();
}

async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(GOOD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL('**/dashboard');
}

describe('where mail is configured', () => {
  const mail = memoryMail();
  let mailing: TestServer;
  beforeAll(async () => {
    const port = await freePort();
    const env = { port, publicUrl: `http://127.0.0.1:${port}`, allowInsecureHttp: true };
    mailing = await startTestServer(setting.database, { mail, env });
  });
  afterAll(() => mailing.stop());

  test('people from a file are sent their links', async () => {
    const page = await setting.open(admin, '/user-management', { at: mailing.url });
    await page.getByRole('link', { name: 'Import' }).click();
    await importPerson(page, 'ivo@example.com');
    await page.getByText(importMessages.mailed(1)).waitFor();
    const his = await setting.open(null, new URL(linkTo('ivo@example.com')).pathname, { at: mailing.url });
    await choosePassword(his);
  });

  test('over plain http, only administrators are told, on every page', async () => {
    const page = await setting.open(admin, '/dashboard', { at: mailing.url });
    await page.getByText(messages.app.insecureHttp).waitFor();
    const viewer = await createPerson(mailing.services, { role: 'viewer', firstName: 'Vera' });
    const theirs = await setting.open(viewer, '/dashboard', { at: mailing.url });
    await theirs.locator('[data-live=live]').waitFor();
    expect(await theirs.getByText(messages.app.insecureHttp).count()).toBe(0);
  });

  test('a link whose mail could not be sent is not shown; another can be made', async () => {
    const port = await freePort();
    const failing = await startTestServer(setting.database, {
      mail: smtpMail(`smtp://127.0.0.1:${await freePort()}`, 'Lintel <lintel@example.com>'),
      env: { port, publicUrl: `http://127.0.0.1:${port}`, allowInsecureHttp: true },
    });
    const page = await setting.open(admin, '/user-management', { at: failing.url });
    await page.getByRole('button', { name: userMessages.invite }).click();
    const dialog = page.getByRole('dialog', { name: userMessages.invite });
    await dialog.getByLabel('Email').fill('inge@example.com');
    await dialog.getByLabel('First name').fill('Inge');
    await dialog.getByLabel('Last name').fill('Invited');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const made = page.getByRole('dialog', { name: 'Invitation link' });
    await made.getByText(userMessages.linkNotMailed).waitFor();
    expect(await made.getByLabel('Link').count()).toBe(0);
    await made.getByRole('button', { name: 'Make another' }).click();
    await made.getByText(userMessages.linkNotMailed).waitFor();
    await failing.stop();
  });

  function linkTo(email: string): string {
    const letter = mail.sent.findLast(({ to }) => to === email);
    return /http:\S+/.exec(letter?.text ?? '')?.[0] ?? '';
  }
});

describe('a link', () => {
  test('whose first answer was lost is not shown again: another one is made', async () => {
    const person = await createPerson(setting.server.services, {
      role: 'manager',
      firstName: 'Lois',
      lastName: 'Lost',
      password: TEST_PASSWORD,
    });
    const own = await setting.open(person, '/dashboard');
    await own.locator('[data-live=live]').waitFor();
    const page = await setting.open(admin, '/user-management');
    await page.locator('[data-live=live]').waitFor();
    let lost = 0;
    await page.route('**/trpc/users.makeLink*', async (route) => {
      const answer = await route.fetch();
      lost += 1;
      return lost === 1 ? route.abort() : route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Actions for Lois Lost' }).click();
    await page.getByRole('menuitem', { name: 'Password-reset link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Password-reset link' });
    await dialog.getByText(userMessages.linkMadeBefore).waitFor();
    expect(await dialog.getByLabel('Link').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Make another' }).click();
    const url = await dialog.getByLabel('Link').inputValue();
    expect(new URL(url).pathname).toMatch(/^\/reset\/[\w-]{43}$/);

    // The person is notified at once on an open screen, and dismisses the notices there.
    const notices = own.getByRole('region', { name: 'About your account' });
    await notices.getByText('Ada Admin made a one-time link').first().waitFor();
    await expect.poll(() => notices.getByRole('button', { name: 'Dismiss' }).count()).toBe(2);
    await notices.getByRole('button', { name: 'Dismiss' }).first().click();
    await expect.poll(() => notices.getByRole('button', { name: 'Dismiss' }).count()).toBe(1);
    await notices.getByRole('button', { name: 'Dismiss' }).click();
    await notices.waitFor({ state: 'hidden' });
  });
});

describe('where a person is signed in', () => {
  test('is live, for themselves and for an administrator', async () => {
    const person = await createPerson(setting.server.services, {
      role: 'manager',
      firstName: 'Omar',
      lastName: 'Operative',
      password: TEST_PASSWORD,
    });
    const own = await setting.open(person, '/account');
    const mine = await setting.open(admin, '/user-management');
    await mine.getByRole('button', { name: 'Actions for Omar Operative' }).click();
    await mine.getByRole('menuitem', { name: 'Sessions' }).click();
    const seen = mine.getByRole('button', { name: /^End session on/ });
    const others = own.getByRole('button', { name: /^End session on/ });
    await expect.poll(() => seen.count()).toBe(1);
    await own.getByText('This session').waitFor();
    expect(await others.count()).toBe(0);

    const visitor = createTestClient(setting.server.url);
    await visitor.session.signIn.mutate({ email: person.email, password: TEST_PASSWORD });
    await expect.poll(() => seen.count()).toBe(2);
    await expect.poll(() => others.count()).toBe(1);

    await others.click();
    await own.getByText(userMessages.sessionEnded).waitFor();
    await expect.poll(() => others.count()).toBe(0);
    await expect.poll(() => seen.count()).toBe(1);

    // Signing out there updates both lists here.
    const elsewhere = await setting.open(null, '/auth/login');
    await elsewhere.getByLabel('Email').fill(person.email);
    await elsewhere.getByLabel('Password').fill(TEST_PASSWORD);
    await elsewhere.getByRole('button', { name: 'Sign In' }).click();
    await elsewhere.waitForURL('**/dashboard');
    await expect.poll(() => others.count()).toBe(1);
    await expect.poll(() => seen.count()).toBe(2);
    await elsewhere.getByRole('button', { name: 'User menu' }).click();
    await elsewhere.getByRole('menuitem', { name: 'Sign out' }).click();
    await elsewhere.waitForURL('**/auth/login');
    await expect.poll(() => others.count()).toBe(0);
    await expect.poll(() => seen.count()).toBe(1);
  });
});
