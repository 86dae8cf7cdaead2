import type { Page } from 'playwright-core';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { Shot } from './shot.ts';
import { atFirstSite } from './shots-checks.ts';

/** Records a passed test of the call point whose turn it is. */
async function recordPass(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pass', exact: true }).click();
  await page.getByRole('button', { name: 'Record test' }).click();
}

const sync: Shot = { name: 'sync', path: '/sync' };

/** Records a check that the server refuses, as if its asset had been moved to another building in the meantime. */
async function refused(page: Page): Promise<void> {
  const app = { code: 'invalid', message: checkMessages.subjectUnknown };
  await page
    .context()
    .route('**/trpc/checks.record*', (route) =>
      route.fulfill({ status: 400, json: { error: { message: app.code, code: -32600, data: { app } } } }),
    );
  await atFirstSite(page);
  await page.getByRole('button', { name: 'Fail', exact: true }).click();
  await page.getByRole('button', { name: 'Record test' }).click();
  await page.getByRole('heading', { name: offlineMessages.states.attention }).waitFor();
}

/** Records waiting on the phone of an operative without a connection. */
export const TASKS_WAITING: readonly Shot[] = [
  sync,
  {
    name: 'sync-check-waiting',
    path: '/operative-tasks/fire-alarm',
    until: async (page) => {
      await atFirstSite(page);
      await page.context().setOffline(true);
      await recordPass(page);
      // On a phone the form has no header. The header is on the previous page.
      await page.getByRole('link', { name: 'Back to Tasks' }).first().click();
      await page
        .getByRole('link', { name: /record to send/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Sync' }).waitFor();
    },
  },
  {
    name: 'check-receipt-offline',
    path: '/operative-tasks/fire-alarm',
    until: async (page) => {
      await atFirstSite(page);
      await page.context().setOffline(true);
      await recordPass(page);
      await page.getByRole('button', { name: 'Record another' }).waitFor();
    },
  },
  // The refused record stays in the queue, so the following pictures show it, too.
  {
    name: 'sync-refused',
    path: '/operative-tasks/fire-alarm',
    act: async (page) => {
      await refused(page);
      await page.getByRole('link', { name: 'Waiting on this phone' }).click();
      await page.getByRole('link', { name: /^Edit: / }).waitFor();
    },
  },
  {
    name: 'check-put-right',
    path: '/operative-tasks/fire-alarm',
    act: async (page) => {
      await refused(page);
      await page.getByRole('link', { name: 'Correct it' }).click();
      await page.getByText(offlineMessages.editing).waitFor();
    },
  },
  {
    name: 'sync-queue',
    path: '/operative-tasks/fire-alarm',
    until: async (page) => {
      await refused(page);
      await page.context().setOffline(true);
      for (let saved = 0; saved < 3; saved += 1) {
        await page.getByRole('button', { name: 'Record another' }).click();
        await recordPass(page);
      }
      await page.getByRole('link', { name: 'Done' }).click();
      await page.locator('a[href="/sync"]', { hasText: 'waiting' }).click();
      await page.getByRole('heading', { name: 'Sync' }).waitFor();
      await page.getByText(offlineMessages.states.attention).first().waitFor();
    },
  },
];

/** Records waiting on the device of a person who reported an issue without a connection. */
export const SYNC: readonly Shot[] = [
  sync,
  {
    name: 'sync-waiting',
    path: '/dashboard',
    until: async (page) => {
      await page.locator('[data-live=live]').waitFor();
      await page.getByRole('button', { name: 'Report Issue' }).click();
      await page.getByRole('button', { name: /Choose a building/ }).click();
      await page.getByRole('option').first().click();
      await page.getByLabel('Title').fill('Pump in the basement is leaking');
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Create Issue' }).click();
      await page.getByRole('link', { name: /record to send/ }).click();
      await page.getByText('Pump in the basement is leaking').first().waitFor();
    },
  },
];
