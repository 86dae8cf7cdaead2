import { eq } from 'drizzle-orm';
import type { Page, WebSocketRoute } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessions } from '#db/schema/people.ts';
import { messages } from '#shared/messages.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';

// A page is open while its session ends on the server.

const setting = setUpWebSetting();
let building: TestBuilding;

beforeAll(async () => {
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

const manager = () => createPerson(setting.server.services, { role: 'manager', buildings: [building.id] });
/** Deletes the sessions without notifying open streams, as when they expire. */
const forget = ({ id }: TestPerson) =>
  setting.server.services.db.delete(sessions).where(eq(sessions.userId, id));

async function goTo(page: Page, name: string): Promise<void> {
  const follow = async () => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  // Any request may come before the click, and leads to the sign-in page as well.
  const redirected = page.waitForURL('**/auth/login');
  await Promise.race([follow().catch(() => redirected), redirected]);
}

async function expectSignIn(page: Page): Promise<void> {
  // Sooner than the server's periodic check of sessions, every 30 s.
  await page.waitForURL('**/auth/login');
  await page.getByRole('heading', { name: 'Sign In' }).waitFor();
  await page.locator('#toasts').getByText(messages.session.ended).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await page.locator('[data-live=live]').count()).toBe(0);
  expect(await page.getByText('Harbour House').count()).toBe(0);
}

describe('a session that has ended', () => {
  test('while the page was open leads to the sign-in page with the next request, not to a failed page', async () => {
    const person = await manager();
    const page = await setting.open(person, '/dashboard', PHONE);
    await page.locator('[data-live=live]').waitFor();
    await forget(person);
    await goTo(page, 'Asset Management');
    await expectSignIn(page);
  });

  test('in another window leads to the sign-in at once', async () => {
    const person = await manager();
    const page = await setting.open(person, '/dashboard', PHONE);
    await page.locator('[data-live=live]').waitFor();
    const other = await setting.open(person, '/account', { viewport: { width: 1440, height: 900 } });
    await other.getByRole('button', { name: /^End session on / }).click();
    await expectSignIn(page);
  });

  test('while there was no connection leads to the sign-in when it is back', async () => {
    const person = await manager();
    const page = await setting.open(person, '/account', PHONE);
    // Emulated offline mode keeps open sockets, whereas a real loss of the network closes them.
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/trpc/, (socket) => {
      sockets.push(socket);
      socket.connectToServer();
    });
    await page.goto('/dashboard');
    await page.locator('[data-live=live]').waitFor();
    await page.context().setOffline(true);
    for (const socket of sockets) await socket.close({ code: 1001 });
    await page.locator('[data-live=offline]').waitFor();
    await forget(person);
    await page.context().setOffline(false);
    await expectSignIn(page);
  });
});
