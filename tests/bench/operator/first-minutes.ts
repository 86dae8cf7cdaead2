import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { uuidv7 } from '#shared/ids.ts';
import { launchBrowser } from '#tests/support/browser/browser.ts';
import { at, withLogin } from '#tests/support/postgres/own-postgres.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { startTestProvider } from '#tests/support/sign-in/oidc-provider.ts';
import { type Figure, round } from '../figure.ts';
import type { Setting } from '../setting.ts';
import { admin, type Settings, serve } from './installation.ts';

const EMAIL = 'ada@harbour.example';
const PROMISED_S = 300;
const CONTENT = 'Tested by Acme Fire Protection\n';

/** Returns the settings of an empty database. */
type EmptyDatabase = (name: string) => Promise<Settings>;

/**
 * The first minutes of a new operator, command by command as in `docs/operating.md`: from nothing to an administrator who
 * signs in at the organisation's provider, to a backup, and to the same installation restored elsewhere.
 */
export async function firstMinutes(setting: Setting): Promise<Figure[]> {
  const browser = await launchBrowser();
  setting.after(() => browser.close());
  const ownDatabase: EmptyDatabase = async (name) => {
    const { ownerUrl, appUrl } = await setting.database(name);
    // Only the logins of the created database are used, because the database itself must be empty.
    const empty = `${name}_${randomUUID().replaceAll('-', '')}`;
    await withLogin(ownerUrl, (sql) => sql`create database ${sql(empty)}`);
    return { DATABASE_URL: at(appUrl, empty), MIGRATION_DATABASE_URL: at(ownerUrl, empty) };
  };
  return [
    await walk(setting, browser, 'the embedded Postgres', async () => ({})),
    await walk(setting, browser, 'a Postgres of its own', ownDatabase),
  ];
}

async function walk(
  setting: Setting,
  browser: Browser,
  form: string,
  emptyDatabase: EmptyDatabase,
): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-first-minutes-'));
  chmodSync(folder, 0o755);
  setting.after(async () => rmSync(folder, { recursive: true, force: true }));
  const provider = await startTestProvider();
  setting.after(provider.stop);
  provider.accounts.set('ada', { email: EMAIL, email_verified: true });
  provider.as = 'ada';

  const steps: { name: string; seconds: number }[] = [];
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    steps.push({ name, seconds: (performance.now() - start) / 1_000 });
    setting.log(`${form}: ${name}, ${round(steps.at(-1)?.seconds ?? 0, 1)} s`);
    return result;
  }

  const port = await freePort();
  const common = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIGN_IN_FILE: join(folder, 'sign-in.json'),
    BACKUP_TO: madeFolder(folder, 'backups'),
  };
  const { settings, publicKey } = await step('settings', async () => {
    writeFileSync(common.SIGN_IN_FILE, JSON.stringify({ providers: [provider.settings] }));
    const first = { ...common, ...(await emptyDatabase('first')), DATA_DIR: madeFolder(folder, 'first') };
    const printed = await admin(first, 'backup-key');
    const [, BACKUP_SIGNING_KEY = ''] = /BACKUP_SIGNING_KEY=(\S+)/.exec(printed) ?? [];
    const [, key = ''] = /--key": (\S+)/.exec(printed) ?? [];
    return { settings: { ...first, BACKUP_SIGNING_KEY }, publicKey: key };
  });
  const served = await step('started', () => serve(settings, setting.after));
  provider.serve(served.url);
  const password = await step('administrator created', async () => {
    const names = ['--first-name', 'Ada', '--last-name', 'Marsh'];
    const printed = await admin(settings, 'create-admin', '--email', EMAIL, ...names);
    return /shown this once: (\S+)/.exec(printed)?.[1] ?? '';
  });
  const { client } = await step('signed in at the provider', () => signIn(browser, served.url, password));
  const documentId = await addSome(client, served.url);
  await step('backed up', () => admin(settings, 'backup'));
  await served.stop();

  const second = {
    ...settings,
    ...(await emptyDatabase('second')),
    DATA_DIR: madeFolder(folder, 'second'),
  };
  await step('restored', () => admin(second, 'restore', settings.BACKUP_TO, '--key', publicKey));
  const restored = await step('started again', () => serve(second, setting.after));
  const again = await step('signed in again', () => signIn(browser, restored.url));
  await assertThere(again, restored.url, documentId);
  await restored.stop();

  const seconds = steps.reduce((sum, one) => sum + one.seconds, 0);
  return {
    name: `from nothing to signed in at a provider to restored, with ${form}`,
    measured: `${round(seconds, 1)} s`,
    reference: `promised: ${PROMISED_S} s`,
    value: seconds,
    unit: 's',
    goal: { atMost: PROMISED_S },
    note: steps.map((one) => `${one.name} ${round(one.seconds, 1)}`).join(', '),
  };
}

/** Makes a folder that any user may write to, because a container runs as a user of its own. */
function madeFolder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  chmodSync(path, 0o777);
  return path;
}

/** A person who is signed in. */
type Person = { cookie: string; client: TestClient };

/** Signs in at the provider, in a new window. @param password needed at the first sign-in, to link the account */
async function signIn(browser: Browser, url: string, password?: string): Promise<Person> {
  const context = await browser.newContext({ baseURL: url });
  try {
    const page = await context.newPage();
    await page.goto('/auth/login');
    await through(page).click();
    if (password !== undefined) {
      await page.getByText('Sign in once with your password').waitFor();
      await fillIn(page, EMAIL, password);
      await page.getByText('From now on you can sign in with').waitFor();
    }
    await page.waitForURL('**/dashboard');
    await page.getByRole('button', { name: 'User menu' }).waitFor();
    const cookies = await context.cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    return { cookie, client: createTestClient(url, cookie) };
  } finally {
    await context.close();
  }
}

const through = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour Group' });

/** Adds a building with an issue and a document. @returns the document's id */
async function addSome(client: TestClient, url: string): Promise<string> {
  const operation = () => ({ operationId: uuidv7(), id: uuidv7() });
  const building = await client.locations.createBuilding.mutate({
    ...{ operationId: uuidv7(), clientName: 'Harbour Group', name: 'Harbour House' },
  });
  await client.issues.create.mutate({ ...operation(), buildingId: building.id, title: 'Lift 2 stuck' });
  const { key } = await createApiKey(client);
  const query = new URLSearchParams({ buildingId: building.id, fileName: 'Certificate.txt' });
  const headers = { 'content-type': 'text/plain', 'idempotency-key': randomUUID() };
  const stored = await callApi(url, key, `/documents?${query}`, headers, { method: 'POST', body: CONTENT });
  if (stored.status !== 201) throw new Error(await stored.text());
  // The cast: an upload answers with its document.
  return ((await stored.json()) as { id: string }).id;
}

async function assertThere({ client, cookie }: Person, url: string, documentId: string): Promise<void> {
  const { data } = await client.issues.list.query({ filter: {} });
  const link = await client.documents.link.query({ id: documentId, as: 'download' });
  const content = await (await fetch(url + link.url, { headers: { cookie } })).text();
  const isThere = data.rows.length === 1 && data.rows[0]?.title === 'Lift 2 stuck' && content === CONTENT;
  if (!isThere) throw new Error(`restored is another: ${JSON.stringify(data.rows)}, ${content}`);
}
