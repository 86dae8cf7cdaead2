import type { Page } from 'playwright-core';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { loseConnection } from '../browser/lose-connection.ts';
import { PHONE } from '../browser/pages.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import { createPerson, type TestBuilding, type TestPerson } from '../rows/factories.ts';

/** Opens a manager's phone at the building's issues, with the code of the Sync page loaded. */
export async function openSyncPhone(
  setting: WebSetting,
  building: TestBuilding,
): Promise<{ page: Page; manager: TestPerson }> {
  const manager = await createPerson(setting.server.services, { role: 'manager', buildings: [building.id] });
  const page = await setting.open(manager, '/sync', PHONE);
  await page.getByText(offlineMessages.nothing).waitFor();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Building Issues', exact: true }).click();
  await page.locator('[data-live=live]').waitFor();
  return { page, manager };
}

/** Reports an issue after the connection is lost. */
export async function reportOffline(page: Page, title: string): Promise<void> {
  await page
    .getByRole('button', { name: /Report/ })
    .first()
    .click();
  await page.getByLabel('Title').fill(title);
  await loseConnection(page);
  await page.getByRole('button', { name: 'Create Issue' }).click();
  await page.getByText(messages.issues.reportKept).waitFor();
}
