import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pulseMessages } from '#shared/features/pulse-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { live, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The figures in the cards of each role, and the pictures below them.

let setting: WebSetting;
let here: TasksSite;

beforeAll(async () => {
  setting = await createWebSetting({ clock: dayClock() });
});
beforeEach(async () => {
  here = await createTasksSite(setting);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const report = (priority: 'low' | 'critical') =>
  reportIssues(setting.server, here.manager, here.site, [{ title: 'Lift 2 stuck', priority }]);
const card = (page: Page, title: string) =>
  page.getByRole('main').getByRole('link').filter({ hasText: title });
const panel = (page: Page) => page.getByRole('region', { name: pulseMessages.panel });

const { weeksTitle } = pulseMessages;

test('the weeks are a table too, and without a connection the copy tells its age', async () => {
  await report('low');
  const page = await setting.open(here.manager, '/dashboard');
  await live(page);
  const issues = panel(page).getByRole('figure', { name: weeksTitle });
  await issues.getByText(pulseMessages.asTable).click();
  expect(await issues.getByRole('row').count()).toBe(13);
  expect(await issues.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['1', '0']);
  // A network that swallows everything but the app itself.
  await page.route('**/trpc/**', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Saved on this computer/).waitFor();
  await panel(page).getByText(pulseMessages.weeksText(1, 0)).waitFor();
  await expect.poll(() => card(page, 'Building Issues').textContent()).toMatch(/1open$/);
});
