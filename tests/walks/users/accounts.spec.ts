import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { accountMessages } from '#shared/features/account-messages.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { messages } from '#shared/messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
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

describe('people from a file', () => {
  test('get links, which the page does not let go of before they are saved', async () => {
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

    // Within the app as well, by a link and by the browser's Back button.
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

    // Another kind and back: the links exist only on this page.
    const kinds = page.getByRole('group', { name: 'What to import' });
    await kinds.getByText('Clients').click();
    await page.getByText('Columns of the file, in any order').waitFor();
    await kinds.getByText('People').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the links' }).click(),
    ]);
    const [, , url = ''] =
      /"ida@example\.com","(.*)","(.*)"/.exec(await readFile(await file.path(), 'utf8')) ?? [];
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('button', { name: 'Choose file' }).waitFor();

    const hers = await setting.open(null, new URL(url).pathname);
    await choosePassword(hers);

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
    const port = await freePort();
    const env = { port, publicUrl: `http://127.0.0.1:${port}`, allowInsecureHttp: true };
    mailing = await startTestServer(setting.database, { mail, env });
  });
  afterAll(() => mailing.stop());

  test('"Forgot password?" sends a link to a new password, and says the same for every address', async () => {
    const person = await createPerson(mailing.services, { role: 'manager', password: TEST_PASSWORD });
    const page = await setting.open(null, '/auth/login', { at: mailing.url });
    await page.getByRole('link', { name: accountMessages.forgot }).click();
    await page.getByText(accountMessages.forgotText).waitFor();
    await page.getByLabel('Email').fill('not an address');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(messages.session.emailInvalid).waitFor();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(accountMessages.forgotDone).waitFor();
    await expect.poll(() => linkTo(person.email)).toContain('/reset/');
    await page.goto(linkTo(person.email));
    await choosePassword(page);

    await page.goto('/reset');
    await page.getByLabel('Email').fill('nobody-at-all@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(accountMessages.forgotDone).waitFor();
  });

  function linkTo(email: string): string {
    const letter = mail.sent.findLast(({ to }) => to === email);
    return /http:\S+/.exec(letter?.text ?? '')?.[0] ?? '';
  }
});
