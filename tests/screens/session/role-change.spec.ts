import { eq } from 'drizzle-orm';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { sessions, sessionTokens } from '#db/schema/people.ts';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import type { Role } from '#shared/permissions.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

// The session's token is replaced while windows are open, without any visible effect.

const setting = setUpWebSetting();
let building: TestBuilding;
let asAdmin: TestClient;

beforeAll(async () => {
  const { server } = setting;
  building = await createBuilding(server.services, { name: 'Harbour House' });
  const admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});

const db = () => setting.server.services.db;
const newPerson = (role: Role) =>
  createPerson(setting.server.services, { role, buildings: [building.id], password: TEST_PASSWORD });
const setRole = ({ id }: TestPerson, role: Role) =>
  asAdmin.users.setRole.mutate({ operationId: uuidv7(), userId: id, role });

async function tokenOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'sid')?.value ?? '';
}

/** The calls of a browser that are on their way: after the minute, a call with a replaced token would count as a copy's. */
function callsInProgress(context: BrowserContext): ReadonlySet<Request> {
  const calls = new Set<Request>();
  context.on('request', (request) => void calls.add(request));
  const end = (request: Request) => void calls.delete(request);
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return calls;
}

/** Expires the minute during which a replaced token stays valid for calls in progress, once these have ended. */
async function minutePasses(token: string, calls: ReadonlySet<Request>): Promise<void> {
  await expect.poll(() => [...calls].map((request) => request.url())).toEqual([]);
  const goodUntil = new Date(Date.now() - 1_000).toISOString();
  await db()
    .update(sessionTokens)
    .set({ goodUntil })
    .where(eq(sessionTokens.hash, hashToken(token)));
}

const isLive = (page: Page) => page.locator('[data-live=live]').waitFor();

test('another role gives two open tabs one new token, and both go on', async () => {
  const person = await newPerson('operative');
  const one = await setting.open(person, '/dashboard');
  const calls = callsInProgress(one.context());
  const two = await one.context().newPage();
  await two.goto('/dashboard');
  await Promise.all([isLive(one), isLive(two)]);
  const before = await tokenOf(one);
  await setRole(person, 'manager');
  for (const tab of [one, two]) {
    await tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Locations' }).waitFor();
  }
  await expect.poll(() => tokenOf(one)).not.toBe(before);
  // The session record for offline starts expires together with the new role's session.
  const remembered = () =>
    one.evaluate(() => {
      const { role, expiresAt } = JSON.parse(localStorage.getItem('lintel.session') ?? '{}');
      return { role, hours: (Date.parse(expiresAt) - Date.now()) / 3_600_000 };
    });
  await expect.poll(async () => (await remembered()).role).toBe('manager');
  expect((await remembered()).hours).toBeLessThanOrEqual(12);
  await two.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Locations' }).click();
  await two.waitForURL('**/locations');
  await two.getByRole('heading', { name: 'Location Management' }).waitFor();
  await Promise.all([isLive(one), isLive(two)]);
  await minutePasses(before, calls);
  for (const tab of [one, two]) {
    await tab.reload();
    await isLive(tab);
  }
  expect(await db().select().from(sessions).where(eq(sessions.userId, person.id))).toHaveLength(1);
});

test('what waits on a phone is sent after another role came meanwhile', async () => {
  const person = await newPerson('manager');
  const page = await setting.open(person, '/building-issues');
  const calls = callsInProgress(page.context());
  await isLive(page);
  const before = await tokenOf(page);
  await page
    .getByRole('button', { name: /Report/ })
    .first()
    .click();
  await page.getByLabel('Title').fill('Pump is leaking');
  await loseConnection(page);
  await page.getByRole('button', { name: 'Create Issue' }).click();
  await page.getByText(messages.issues.reportKept).waitFor();
  await setRole(person, 'admin');
  await page.context().setOffline(false);
  const stored = () => db().select().from(buildingIssues).where(eq(buildingIssues.title, 'Pump is leaking'));
  await expect.poll(async () => (await stored()).map(({ reportedBy }) => reportedBy)).toEqual([person.id]);
  await expect.poll(() => tokenOf(page)).not.toBe(before);
  await isLive(page);
  await minutePasses(before, calls);
  await page.reload();
  await isLive(page);
});

test('a new password leaves the window signed in, also where the answer was lost', async () => {
  const person = await newPerson('viewer');
  const page = await setting.open(person, '/account');
  await isLive(page);
  const before = await tokenOf(page);
  let lost = 0;
  await page.route('**/trpc/session.changePassword*', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    // The request is carried out, but its answer is lost, including the cookie.
    const { origin, ...headers } = await route.request().allHeaders();
    await fetch(route.request().url(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-app': '1',
        origin: origin ?? '',
        cookie: headers['cookie'] ?? '',
      },
      body: route.request().postData(),
    });
    await route.abort('connectionreset');
  });
  await page.getByLabel('Current password').fill(TEST_PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('a-password-of-my-own');
  await page.getByLabel('New password again').fill('a-password-of-my-own');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText(accountMessages.passwordChanged).waitFor();
  expect(lost).toBe(1);
  expect(await tokenOf(page)).not.toBe(before);
  await page.reload();
  await isLive(page);
  expect(
    await db()
      .select()
      .from(sessionTokens)
      .where(eq(sessionTokens.hash, hashToken(before))),
  ).toEqual([]);
});
