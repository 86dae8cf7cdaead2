import { beforeEach, expect, test } from 'vitest';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { pageCard, panel, reportAt } from '#tests/support/screens/dashboard-screen.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The figures of the dashboard and its charts, without a connection and while others work.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

const { weeksTitle } = pulseMessages;

test('the weeks are a table too, and without a connection the copy tells its age', async () => {
  await reportAt(setting, here, 'low');
  const page = await setting.open(here.manager, '/dashboard');
  await live(page);
  const issues = panel(page).getByRole('figure', { name: weeksTitle });
  await issues.getByText(pulseMessages.asTable).click();
  expect(await issues.getByRole('row').count()).toBe(13);
  expect(await issues.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['1', '0']);
  // A network on which all calls fail; only the app itself loads.
  await page.route('**/trpc/**', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Saved on this computer/).waitFor();
  await panel(page).getByText(pulseMessages.weeksText(1, 0)).waitFor();
  await expect.poll(() => pageCard(page, 'Building Issues').textContent()).toMatch(/1open$/);
});

test('figures follow what others do, and no list is read again', async () => {
  const page = await setting.open(here.manager, '/dashboard');
  const issues = pageCard(page, 'Building Issues');
  await issues.getByText('none open').waitFor();
  await panel(page).getByText(pulseMessages.weeksText(0, 0)).waitFor();
  await live(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/trpc/pulse.')) asked.push(request.url());
  });
  const [id = ''] = await reportAt(setting, here, 'critical');
  await expect.poll(() => issues.textContent()).toMatch(/1open1critical$/);
  await panel(page).getByText(pulseMessages.weeksText(1, 0)).waitFor();
  const assignedTo = { from: null, to: here.manager.id };
  await here.client.issues.update.mutate({ operationId: uuidv7(), id, changes: { assignedTo } });
  await issues.getByText('waiting for you').waitFor();
  const status = { from: 'open', to: 'closed' } as const;
  await here.client.issues.update.mutate({ operationId: uuidv7(), id, changes: { status } });
  await issues.getByText('none open').waitFor();
  await panel(page).getByText(pulseMessages.weeksText(1, 1)).waitFor();
  const made = await here.tasks.add('weekly test');
  const building = panel(page).getByRole('link', { name: new RegExp(here.site.name) });
  await building.getByText('0%').waitFor();
  await here.tasks.complete(made);
  await building.getByText('100%').waitFor();
  expect(asked).toEqual([]);
});

test('on a phone a card is no taller than its own words need', async () => {
  const page = await setting.open(here.manager, '/dashboard', { viewport: { width: 390, height: 844 } });
  await pageCard(page, 'Building Issues').getByText('none open').waitFor();
  const heightOf = async (title: string) => (await pageCard(page, title).boundingBox())?.height ?? 0;
  // The text of Locations has one line, that of Operative Tasks has two.
  expect(await heightOf('Locations')).toBeLessThan(await heightOf('Operative Tasks'));
});
