import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { openSyncPhone, reportOffline } from '#tests/support/screens/sync-phone.ts';

// Records saved on a phone without a connection, as their owner sees them.

const words = offlineMessages;

const setting = setUpWebSetting();
let building: TestBuilding;

beforeAll(async () => {
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

async function issuesCalled(title: string) {
  const { db } = setting.server.services;
  return db.select().from(buildingIssues).where(eq(buildingIssues.title, title));
}

describe('what waits on a phone', () => {
  test('is shown as saved, asked about before signing out, seen by other tabs, and received once', async () => {
    const { page, manager } = await openSyncPhone(setting, building);
    const other = await page.context().newPage();
    await other.goto('/sync');
    await other.getByText(words.nothing).waitFor();
    await reportOffline(page, 'Pump is leaking');
    await page.getByRole('link', { name: words.waiting(1) }).click();
    const item = (tab: Page) =>
      tab.getByRole('main').getByRole('listitem').filter({ hasText: 'Pump is leaking' });
    for (const tab of [page, other]) await item(tab).getByText(words.states.saved, { exact: true }).waitFor();
    await page.getByText(words.noConnection).waitFor();

    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: words.signOutTitle });
    await question.getByText(words.signOutText(words.waiting(1))).waitFor();
    await question.getByRole('button', { name: 'Stay signed in' }).click();

    await page.reload({ waitUntil: 'commit' }).catch(() => undefined);
    await page.context().setOffline(false);
    await page.goto('/sync');
    for (const tab of [page, other])
      await item(tab)
        .getByText(/^Received \d\d:\d\d$/)
        .waitFor();
    const [issue, ...more] = await issuesCalled('Pump is leaking');
    expect([issue?.reportedBy, more.length]).toEqual([manager.id, 0]);
    await item(page).getByText(`Reference ${issue?.referenceNumber}`, { exact: true }).waitFor();
  });
});
