import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { smtpMail } from '#server/adapters/mail/smtp.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { holdCalls } from '#tests/support/browser/hold-calls.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import {
  choosePassword,
  importPerson,
  linkTo,
  startMailing,
} from '#tests/support/screens/accounts-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let admin: TestPerson;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
});

describe('what people from a file get', () => {
  test('are links that the page does not let go of before they are saved', async () => {
    const page = await setting.open(admin, '/dashboard');
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Import' }).click();
    await page.getByRole('group', { name: 'What to import' }).getByText('People').click();
    await importPerson(page, 'ida@example.com');
    await page.getByText(importMessages.linksOnce).waitFor();
    expect(await page.getByRole('button', { name: 'Import another file' }).isDisabled()).toBe(true);

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    // The question also appears within the app, for a link and for the browser's Back button.
    const leaving = page.getByRole('dialog', { name: importMessages.leaveTitle });
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await leaving.getByText(importMessages.leaveText).waitFor();
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    await leaving.waitFor({ state: 'hidden' });
    await page.evaluate(() => window.history.back());
    await leaving.waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/import');
    await leaving.getByRole('button', { name: 'Leave anyway' }).click();
    await page.waitForURL('**/dashboard');
    // The links are still there.
    await page.evaluate(() => window.history.forward());
    await page.getByText(importMessages.linksOnce).waitFor();

    // The same for another kind of import: the links exist only on this page.
    const kinds = page.getByRole('group', { name: 'What to import' });
    await kinds.getByText('Clients').click();
    await page.getByText('Columns of the file, in any order').waitFor();
    await kinds.getByText('People').click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the links' }).click();
    await saving;
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('button', { name: 'Choose file' }).waitFor();

    // Saved links do not hold up leaving the page.
    await importPerson(page, 'iva@example.com');
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the links' }).click(),
    ]);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.waitForURL('**/dashboard');
  });
});

describe('where mail is configured', () => {
  const mail = memoryMail();
  let mailing: TestServer;
  beforeAll(async () => {
    mailing = await startMailing(setting.database, mail);
  });
  afterAll(() => mailing.stop());

  test('people from a file are sent their links', async () => {
    const page = await setting.open(admin, '/user-management', { at: mailing.url });
    await page.getByRole('link', { name: 'Import' }).click();
    await importPerson(page, 'ivo@example.com');
    await page.getByText(importMessages.mailed(1)).waitFor();
    const his = await setting.open(null, new URL(linkTo(mail.sent, 'ivo@example.com')).pathname, {
      at: mailing.url,
    });
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
    const noServer = `smtp://127.0.0.1:${await freePort()}`;
    const failing = await startMailing(setting.database, smtpMail(noServer, 'Lintel <lintel@example.com>'));
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

    // The person is notified at once on an open screen, in one line, and dismisses the notices on the account's page.
    const notices = own.getByRole('region', { name: 'About your account' });
    await notices.getByText('A link to a new password was made.').waitFor();
    expect((await notices.boundingBox())?.height).toBeLessThan(40);
    await notices.getByRole('link', { name: 'Review' }).click();
    const dismiss = own.getByRole('button', { name: 'Dismiss', exact: true });
    await own.getByText('Ada Admin made a one-time link').first().waitFor();
    await expect.poll(() => dismiss.count()).toBe(2);
    // A slow answer to the list shows no dismissed notice on another page.
    const release = await holdCalls(own, 'users.myNotices');
    await dismiss.first().click();
    await expect.poll(() => dismiss.count()).toBe(1);
    await dismiss.click();
    await expect.poll(() => dismiss.count()).toBe(0);
    await own.goBack();
    await own.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(await notices.count()).toBe(0);
    release();
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
