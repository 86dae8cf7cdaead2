import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { translatePage } from '#tests/support/browser/translate-page.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { act, line } from '#tests/support/screens/assets-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createIssuesSite } from '#tests/support/screens/issues-site.ts';
import { task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';

// In a page that the browser translates, screens go on, and each change shows its new words. They are in capitals.

let setting: WebSetting;

beforeAll(async () => {
  setting = await createWebSetting();
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

/** Translates the page, which is live; returns the errors of its scripts from now on. */
async function translated(page: Page): Promise<string[]> {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await live(page);
  await translatePage(page);
  return errors;
}

test('a task that another person completes says so in its row, and the figures follow', async () => {
  const here = await createTasksSite(setting);
  const overdue = await here.tasks.add('Extinguishers', { lastDone: addDays(here.today, -21) });
  const page = await here.open();
  await task(page, 'Extinguishers').getByText('Non-Compliant').waitFor();
  const errors = await translated(page);
  const words = () => task(page, 'EXTINGUISHERS').textContent();
  await expect.poll(words).toMatch(/NON-COMPLIANT[\s\S]*OVERDUE/);
  await here.tasks.complete(overdue);
  await expect.poll(words).not.toMatch(/NON-COMPLIANT|OVERDUE/);
  await expect.poll(words).toContain('COMPLIANT');
  await page.getByText('100%').waitFor();
  await here.tasks.mark(await here.tasks.get(overdue.id), 'Two are missing');
  await expect.poll(words).toContain('NON-COMPLIANT');
  expect(errors).toEqual([]);
});

test('an issue whose status and title another person changes moves with its new words', async () => {
  const here = await createIssuesSite(setting);
  const page = await here.board(here.manager, `?building=${here.harbour.id}`);
  const errors = await translated(page);
  await page.getByRole('article').filter({ hasText: 'ROOF LEAK' }).waitFor();
  const client = createTestClient(setting.server.url, await signInAs(setting.server, here.admin));
  const { data } = await client.issues.list.query({ filter: { buildingId: here.harbour.id } });
  const issue = data.rows.find(({ title }) => title === 'Roof leak');
  if (issue === undefined) throw new Error('the issue is not listed');
  const changes = {
    status: { from: issue.status, to: 'in_progress' as const },
    title: { from: issue.title, to: 'Roof leak above the stairs' },
  };
  await client.issues.update.mutate({ operationId: uuidv7(), id: issue.id, changes });
  const column = page.getByRole('region', { name: 'In Progress', exact: true });
  await column.getByRole('article').filter({ hasText: 'ROOF LEAK ABOVE THE STAIRS' }).waitFor();
  await expect
    .poll(() =>
      page
        .getByRole('article')
        .filter({ hasText: /^ROOF LEAK$/m })
        .count(),
    )
    .toBe(0);
  expect(errors).toEqual([]);
});

test('an asset is retired and restored by hand', async () => {
  const here = await createTasksSite(setting);
  await createAsset(setting.server.services, { buildingId: here.site.id, name: 'Exit sign' });
  const page = await setting.open(here.manager, `/asset-management?building=${here.site.id}`);
  await line(page, 'Exit sign').waitFor();
  const errors = await translated(page);
  await act(page, 'Exit sign', 'Retire');
  await page.getByText('ASSET RETIRED SUCCESSFULLY').waitFor();
  await line(page, 'Exit sign').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await line(page, 'Exit sign').waitFor();
  expect(errors).toEqual([]);
});

test('an operative goes to the tasks and to a form, and back', async () => {
  const here = await createTasksSite(setting);
  const page = await setting.open(await here.colleague('operative'), '/dashboard', PHONE);
  const errors = await translated(page);
  await page.getByRole('link', { name: /^Operative Tasks/i }).click();
  await page.getByRole('link', { name: /BS 5839/ }).click();
  await page.getByRole('heading', { name: 'Fire alarm test' }).waitFor();
  await page.getByRole('link', { name: 'Back to Tasks' }).click();
  await page.getByRole('link', { name: /BS 5839/ }).waitFor();
  expect(errors).toEqual([]);
  expect(await page.getByText(/something went wrong/i).count()).toBe(0);
});
