import type { Page } from 'playwright-core';
import type { Mail } from '#server/adapters/mail/mail.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import type { TestDatabase } from '../postgres/database.ts';
import { freePort } from '../server/free-port.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

const GOOD = 'a-password-of-my-own';
const HEADER = 'Email,First Name,Last Name,Role,Buildings';

/** Starts a server that sends mail; it needs a public URL for the links in its mails. */
export async function startMailing(database: TestDatabase, mail: Mail): Promise<TestServer> {
  const port = await freePort();
  const env = { port, publicUrl: `http://127.0.0.1:${port}`, allowInsecureHttp: true };
  return startTestServer(database, { mail, env });
}

/** Imports a person on the Import page, where People are selected already. */
export async function importPerson(page: Page, email: string): Promise<void> {
  // Wait for this kind's file input: the previous kind's input would be removed together with the file.
  await page.getByText('An address that no one else uses').waitFor();
  const buffer = Buffer.from(`${HEADER}\n${email},Ida,Imported,viewer,`);
  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByText(importMessages.ready(1)).waitFor();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByRole('heading', { name: importMessages.done(1) }).waitFor();
}

/** Sets a password on the page of a one-time link. */
export async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(GOOD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL('**/dashboard');
}

/** The link in the last mail to an address; empty if there is none. */
export function linkTo(sent: readonly { to: string; text: string }[], email: string): string {
  const letter = sent.findLast(({ to }) => to === email);
  return /http:\S+/.exec(letter?.text ?? '')?.[0] ?? '';
}
