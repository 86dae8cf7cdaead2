import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { translatePage } from '#tests/support/browser/translate-page.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { act, line } from '#tests/support/screens/assets-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createIssuesSite } from '#tests/support/screens/issues-site.ts';
import { task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';

// In a page that the browser translates, screens go on, and each change shows its new words. Here, translated words are
// in capitals.

const setting = setUpWebSetting();

/** Translates the live page; returns the errors of its scripts from now on. */
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

test('an issue whose title and status another person changes says so in its card, and moves', async () => {
  const here = await createIssuesSite(setting);
  const page = await here.board(here.manager, `?building=${here.harbour.id}`);
  const errors = await translated(page);
  await page.getByRole('article').filter({ hasText: 'ROOF LEAK' }).waitFor();
  const client = createTestClient(setting.server.url, await signInAs(setting.server, here.admin));
  const { data } = await client.issues.list.query({ filter: { buildingId: here.harbour.id } });
  const issue = data.rows.find(({ title }) => title === 'Roof leak');
  if (issue === undefined) throw new Error('the issue is not listed');
  const save = (changes: Parameters<typeof client.issues.update.mutate>[0]['changes']) =>
    client.issues.update.mutate({ operationId: uuidv7(), id: issue.id, changes });
  // In the same element, whose text the translator has replaced.
  await save({ title: { from: issue.title, to: 'Roof leak above the stairs' } });
  const card = page.getByRole('article').filter({ hasText: 'ROOF LEAK ABOVE THE STAIRS' });
  await card.waitFor();
  await save({ status: { from: issue.status, to: 'in_progress' } });
  const column = page.getByRole('region', { name: 'In Progress', exact: true });
  await column.getByRole('article').filter({ hasText: 'ROOF LEAK ABOVE THE STAIRS' }).waitFor();
  expect(await card.count()).toBe(1);
  expect(errors).toEqual([]);
});

test('an asset is retired and restored by hand', async () => {
  const here = await createTasksSite(setting);
  for (const name of ['Exit sign', 'Stair light'])
    await createAsset(setting.server.services, { buildingId: here.site.id, name });
  const page = await setting.open(here.manager, `/asset-management?building=${here.site.id}`);
  await line(page, 'Exit sign').waitFor();
  const errors = await translated(page);
  await page.getByText('2 ASSETS', { exact: true }).waitFor();
  await act(page, 'Exit sign', 'Retire');
  await page.getByText('ASSET RETIRED SUCCESSFULLY').waitFor();
  await line(page, 'Exit sign').waitFor({ state: 'detached' });
  await page.getByText('1 ASSET', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await line(page, 'Exit sign').waitFor();
  await page.getByText('2 ASSETS', { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('an operative goes to the tasks, to a form and back, and a card says what a colleague has recorded', async () => {
  const here = await createTasksSite(setting);
  const { services } = setting.server;
  const { id } = await createAsset(services, { buildingId: here.site.id, name: 'Lobby', type: 'call_point' });
  const page = await setting.open(await here.colleague('operative'), '/dashboard', PHONE);
  const errors = await translated(page);
  await page.getByRole('link', { name: /^Operative Tasks/i }).click();
  await page.getByRole('link', { name: /BS 5839/ }).click();
  await page.getByRole('heading', { name: 'Fire alarm test' }).waitFor();
  await page.getByRole('link', { name: 'Back to Tasks' }).click();
  const card = page.getByRole('link', { name: /BS 5839/ });
  await card.waitFor();
  await expect.poll(() => card.textContent()).toContain('DUE');
  const before = await card.textContent();
  const colleague = await here.colleague('operative', { firstName: 'Bob', lastName: 'Reid' });
  const api = createTestClient(setting.server.url, await signInAs(setting.server, colleague));
  await api.checks.record.mutate(
    visitOf('fire_alarm_test', {
      buildingId: here.site.id,
      now: services.clock.now().toISOString(),
      operativeName: 'Bob Reid',
      entries: [{ ...lineOf('fire_alarm_test', 'pass', id), locationTested: 'Lobby' }],
    }),
  );
  await expect.poll(() => card.textContent()).not.toBe(before);
  expect(errors).toEqual([]);
  expect(await page.getByText(/something went wrong/i).count()).toBe(0);
});
