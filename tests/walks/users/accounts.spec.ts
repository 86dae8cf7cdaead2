import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import {
  choosePassword,
  importPerson,
  linkTo,
  startMailing,
} from '#tests/support/screens/accounts-screen.ts';

const setting = setUpWebSetting();

test('people from a file get links, which an administrator saves, and choose a password behind them', async () => {
  const admin = await createPerson(setting.server.services, { role: 'admin' });
  const page = await setting.open(admin, '/dashboard');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Import' }).click();
  await page.getByRole('group', { name: 'What to import' }).getByText('People').click();
  await importPerson(page, 'ida@example.com');
  await page.getByText(importMessages.linksOnce).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the links' }).click(),
  ]);
  const [, , url = ''] =
    /"ida@example\.com","(.*)","(.*)"/.exec(await readFile(await file.path(), 'utf8')) ?? [];
  const hers = await setting.open(null, new URL(url).pathname);
  await choosePassword(hers);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.waitForURL('**/dashboard');
});

test('"Forgot password?" sends a link to a new password', async () => {
  const mail = memoryMail();
  const mailing = await startMailing(setting.database, mail);
  onTestFinished(() => mailing.stop());
  const person = await createPerson(mailing.services, { role: 'manager', password: TEST_PASSWORD });
  const page = await setting.open(null, '/auth/login', { at: mailing.url });
  await page.getByRole('link', { name: accountMessages.forgot }).click();
  await page.getByText(accountMessages.forgotText).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(accountMessages.forgotDone).waitFor();
  await expect.poll(() => linkTo(mail.sent, person.email)).toContain('/reset/');
  await page.goto(linkTo(mail.sent, person.email));
  await choosePassword(page);
});
